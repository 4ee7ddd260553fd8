package io.hdfsraid.raidnode.recency;

/** Has an image of the namespace read anew, in a while, by somebody else. */
@FunctionalInterface
public interface Reconciliation {
  /**
   * Asks for it, and returns at once. When it is done, the watermark of the source is the
   * transaction of the image.
   */
  void ask(String because);
}
