package io.hdfsraid.raidnode.catalog.namespace;

/** Is shown files in the order of their last use, and says what is to become of each. */
@FunctionalInterface
public interface ColdestFirst {
  Step look(IndexedFile file);

  /** What becomes of a file, and whether the next one is wanted. */
  sealed interface Step permits Keep, SetAside, Stop {}

  /** It stays in the order. */
  record Keep() implements Step {}

  /**
   * It leaves the order, until what is known of it changes, or {@link NamespaceIndex#restoreOrder}.
   * Time alone does not bring it back.
   *
   * @param tag why, in the words of who says so; 1 to 255
   */
  record SetAside(int tag) implements Step {
    public SetAside {
      if (tag < 1 || tag > 255) {
        throw new IllegalArgumentException("A tag is 1 to 255, but got " + tag);
      }
    }
  }

  /** It stays in the order, and no more are wanted. */
  record Stop() implements Step {}

  static Step keep() {
    return new Keep();
  }

  static Step setAside(int tag) {
    return new SetAside(tag);
  }

  static Step stop() {
    return new Stop();
  }
}
