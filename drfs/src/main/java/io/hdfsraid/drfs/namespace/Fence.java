package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/**
 * Fencing of the single writer: a check that this process still is the only writer. Each commit,
 * each reduction and each delivery passes the fence first.
 */
@FunctionalInterface
public interface Fence {

  /**
   * Returns only if no other daemon can have taken over.
   *
   * @throws IOException if another daemon has taken over, or if that cannot be ruled out; the
   *     caller must not proceed
   */
  void pass() throws IOException;
}
