// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.Policies;
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
    return node.hadoop().keytab().map(file -> folder.resolve(file).normalize());
  }

  /** Returns the file with the keys of the principal of the API; empty if none is set. */
  public Optional<Path> apiKeytab() {
    return node.api().kerberos().keytab().map(file -> folder.resolve(file).normalize());
  }

  public Path tokensFile() {
    return folder.resolve(node.api().tokensFile()).normalize();
  }
}
