package io.hdfsraid.offline.demo;

import io.hdfsraid.drfs.stripe.LocatedStripe;

/**
 * One unit that the damage takes.
 *
 * @param path of the file whose stripe it is
 * @param node index of the DataNode that held its only replica
 */
record Loss(
    String path, LocatedStripe stripe, int unit, long blockId, long bytes, Way way, int node) {
  /** How it is lost. */
  enum Way {
    NODE_STOPPED("on stopped DataNodes"),
    BYTES_FLIPPED("bytes flipped on disk"),
    FILES_DELETED("files deleted from disk");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  boolean isParity() {
    return stripe.codec().shape().isParity(unit);
  }
}
