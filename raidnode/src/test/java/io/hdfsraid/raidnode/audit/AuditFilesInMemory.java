// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/** Files of the audit that can be away. */
final class AuditFilesInMemory implements AuditFiles {
  final TreeMap<String, String> content = new TreeMap<>();
  boolean away;
  int reads;
  String unreadable = "";

  @Override
  public List<Kept> list() throws IOException {
    check();
    return content.entrySet().stream()
        .map(file -> new Kept(file.getKey(), file.getValue().length()))
        .toList();
  }

  @Override
  public byte[] read(String name) throws IOException {
    check();
    if (name.equals(unreadable)) {
      throw new IOException("A block of " + name + " is missing");
    }
    reads++;
    return content.get(name).getBytes(UTF_8);
  }

  @Override
  public void create(String name, byte[] bytes) throws IOException {
    check();
    assertThat(content).doesNotContainKey(name);
    content.put(name, new String(bytes, UTF_8));
  }

  @Override
  public void append(String name, byte[] bytes) throws IOException {
    check();
    content.merge(name, new String(bytes, UTF_8), String::concat);
  }

  @Override
  public void delete(String name) throws IOException {
    check();
    content.remove(name);
  }

  private void check() throws IOException {
    if (away) {
      throw new IOException("Quota of /.raid exceeded");
    }
  }
}
