package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reads query parameters, all of which arrive as texts or not at all. */
final class Query {
  private Query() {}

  /** The path, {@code /} when there is none; without a slash at its end. */
  static String below(String path) {
    return path == null ? "/" : absolute(path);
  }

  static String absolute(String path) {
    if (path == null || !path.startsWith("/")) {
      throw ApiFailure.badRequest(
          "path must be an absolute path, but is " + path, "Give ?path=/...");
    }
    String trimmed = path.replaceAll("/+$", "");
    return trimmed.isEmpty() ? "/" : trimmed;
  }

  static Paging paging(String limit, String cursor) {
    try {
      return new Paging(
          limit == null ? Paging.DEFAULT_LIMIT : Integer.parseInt(limit),
          Optional.ofNullable(cursor));
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "limit must be a whole number, but is " + limit, "It is 1 to " + Paging.MAX_LIMIT + ".");
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(e.getMessage(), "Ask for more with the cursor of the answer.");
    }
  }

  static Optional<FileState> state(String name) {
    if (name == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(FileState.valueOf(name.toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(
          "There is no state " + name, "The states are " + Arrays.toString(FileState.values()));
    }
  }

  static long inode(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "An inode id is a number, but this is " + text, "To ask by path: GET /api/v1/explain");
    }
  }
}
