// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.Requests;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reads query parameters, which arrive as text or are absent. */
public final class QueryParameters {
  private QueryParameters() {}

  /** Returns the path without a trailing slash, or {@code /} if there is none. */
  public static String below(String path) {
    return path == null ? "/" : absolute(path);
  }

  public static String absolute(String path) {
    try {
      Requests.absolute(path);
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(e.getMessage(), "Send ?path=/...");
    }
    String trimmed = path.replaceAll("/+$", "");
    return trimmed.isEmpty() ? "/" : trimmed;
  }

  public static Paging paging(String limit, String cursor) {
    try {
      return new Paging(
          limit == null ? Paging.DEFAULT_LIMIT : Integer.parseInt(limit),
          Optional.ofNullable(cursor));
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "limit must be a whole number, but is " + limit, "Send 1 to " + Paging.MAX_LIMIT + ".");
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(
          e.getMessage(), "Read the following pages with the cursor of the answer.");
    }
  }

  public static Optional<FileState> state(String name) {
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

  /** Returns false if the parameter is absent. */
  public static boolean flag(String name, String text) {
    if (text == null || text.equals("false")) {
      return false;
    }
    if (text.equals("true")) {
      return true;
    }
    throw ApiFailure.badRequest(
        "%s must be true or false, but is %s".formatted(name, text), "Send ?" + name + "=true");
  }

  public static long inode(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "An inode id is a number, but this is " + text,
          "To look up a path, use GET /api/v1/explain");
    }
  }
}
