// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What an image has told. */
record RecordingVisitor(
    Map<Long, Inode> inodes, Map<Long, Long> places, Map<Long, Map<String, String>> marks) {

  static RecordingVisitor by(Image image) throws IOException {
    RecordingVisitor told = new RecordingVisitor(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    image.read(told.new Listener());
    return told;
  }

  private final class Listener implements Image.Visitor {
    @Override
    public void inode(Inode inode) {
      assertThat(inodes.put(inode.id(), inode)).as("inode %s before", inode).isNull();
    }

    @Override
    public void inode(Inode.File file, Map<String, byte[]> attributes) {
      inode(file);
      Map<String, String> texts = new TreeMap<>();
      attributes.forEach(
          (name, value) -> texts.put(name, new String(value, StandardCharsets.ISO_8859_1)));
      marks.put(file.id(), texts);
    }

    @Override
    public void place(long child, long parent) {
      assertThat(places.put(child, parent)).as("place of %d before", child).isNull();
    }
  }
}
