package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.Policies;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All that the daemon is told, checked.
 *
 * @param folder relative paths begin here
 * @param token every request must bring it; empty: none is asked for
 */
public record Settings(
    RaidNodeConfiguration node, Policies policies, Path folder, Optional<String> token) {

  public Path catalogDirectory() {
    return folder.resolve(node.catalog().directory()).normalize();
  }

  /** The token is not shown. */
  @Override
  public String toString() {
    return "settings from " + folder;
  }
}
