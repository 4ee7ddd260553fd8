// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An HDFS of directories only, which counts how often it is asked. */
public final class ModesOfDirectories implements HdfsPermissions {
  public final List<String> asked = new ArrayList<>();

  boolean decide = true;
  boolean fails;
  private final Map<String, ListRights> directories = new HashMap<>();
  private final Map<String, Set<String>> groups = new HashMap<>();

  /** Adds a directory that its owner may list. */
  public ModesOfDirectories with(String path, String owner, boolean groupMay, boolean othersMay) {
    return with(path, new ListRights(owner, true, Map.of(), Map.of("staff", groupMay), othersMay));
  }

  ModesOfDirectories with(String path, ListRights rights) {
    directories.put(path, rights);
    return this;
  }

  ModesOfDirectories member(String user, String... of) {
    groups.put(user, Set.of(of));
    return this;
  }

  @Override
  public boolean decide() {
    return decide;
  }

  @Override
  public Optional<ListRights> of(String directory) throws IOException {
    asked.add(directory);
    if (fails) {
      throw new IOException("standby");
    }
    return Optional.ofNullable(directories.get(directory));
  }

  @Override
  public Set<String> groups(String user) {
    asked.add(user);
    return groups.getOrDefault(user, Set.of());
  }
}
