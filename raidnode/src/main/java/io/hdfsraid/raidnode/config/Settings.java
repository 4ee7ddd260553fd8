// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.yarn.job.ContainerSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The complete, validated configuration of the daemon.
 *
 * @param folder the folder in which relative paths begin
 */
public record Settings(RaidNodeConfiguration node, Policies policies, Path folder) {

  public Path catalogDirectory() {
    return folder.resolve(node.catalog().directory()).normalize();
  }

  /** Returns the file with the keys of the principal; empty if none is set. */
  public Optional<Path> keytab() {
    return node.hadoop().keytab(folder);
  }

  /** Returns the file with the keys of the principal of the API; empty if none is set. */
  public Optional<Path> apiKeytab() {
    return node.api().kerberos().keytab(folder);
  }

  /** Returns what jobs ask of YARN. */
  public ContainerSettings containers() {
    return node.yarn().container(folder);
  }

  public Path tokensFile() {
    return folder.resolve(node.api().tokensFile()).normalize();
  }
}
