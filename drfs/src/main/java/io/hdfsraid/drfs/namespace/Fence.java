package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/**
 * Proof that this process is still the one writer. Passed before each commit, each reduction and
 * each delivery.
 */
@FunctionalInterface
public interface Fence {

  /**
   * Returns only when no other daemon can have taken over.
   *
   * @throws IOException when it has been deposed or cannot know; the step at hand must not be taken
   */
  void pass() throws IOException;
}
