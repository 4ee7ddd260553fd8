// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/** Receives files in the order of their last use and decides what happens to each. */
@FunctionalInterface
public interface ColdFileVisitor {
  Step look(IndexedFile file);

  /** The decision about a file. */
  sealed interface Step permits Keep, Skip, Stop {}

  /** The file stays in the order; the next one follows. */
  record Keep() implements Step {}

  /**
   * The file leaves the order until it changes or {@link NamespaceIndex#unskipAll} is called. Time
   * alone does not bring it back.
   *
   * @param tag the reason, in a code of the caller; 1 to 255
   */
  record Skip(int tag) implements Step {
    public Skip {
      if (tag < 1 || tag > 255) {
        throw new IllegalArgumentException("A tag is 1 to 255, but got " + tag);
      }
    }
  }

  /** The file stays in the order, and the visit ends. */
  record Stop() implements Step {}

  static Step keep() {
    return new Keep();
  }

  static Step skip(int tag) {
    return new Skip(tag);
  }

  static Step stop() {
    return new Stop();
  }
}
