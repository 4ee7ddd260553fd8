package io.hdfsraid.raidnode.view;

/** Paths at or below another. */
final class Below {
  private Below() {}

  /** Whether the path is this one, or lies below it; everything lies below {@code /}. */
  static boolean contains(String top, String path) {
    return top.equals("/") || path.equals(top) || path.startsWith(top + "/");
  }
}
