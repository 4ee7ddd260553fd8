package io.hdfsraid.raidapi;

/** What all requests check. */
final class Requests {
  private Requests() {}

  static String absolute(String path) {
    if (path == null || !path.startsWith("/")) {
      throw new IllegalArgumentException("path must be an absolute path, but is " + path);
    }
    return path;
  }
}
