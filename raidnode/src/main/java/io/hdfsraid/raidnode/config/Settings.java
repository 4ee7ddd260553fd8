package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.Policies;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The complete, validated configuration of the daemon.
 *
 * @param folder the folder in which relative paths begin
 * @param token the token that every request must bring; empty if none is required
 */
public record Settings(
    RaidNodeConfiguration node, Policies policies, Path folder, Optional<String> token) {

  public Path catalogDirectory() {
    return folder.resolve(node.catalog().directory()).normalize();
  }

  /** Returns a text without the token. */
  @Override
  public String toString() {
    return "settings from " + folder;
  }
}
