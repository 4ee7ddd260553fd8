package io.hdfsraid.raidnode.catalog.namespace;

/** Of records. */
final class Versions {
  private Versions() {}

  static void require(int expected, int found) {
    if (found != expected) {
      throw new IllegalArgumentException(
          "expected version %d of a record, but found %d".formatted(expected, found));
    }
  }
}
