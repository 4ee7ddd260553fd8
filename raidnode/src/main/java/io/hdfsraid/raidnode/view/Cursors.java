package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidnode.rest.ApiFailure;

/** Where a page begins. */
final class Cursors {
  private Cursors() {}

  static ApiFailure notOne(String cursor) {
    return ApiFailure.badRequest(
        "'%s' is no cursor".formatted(cursor), "Take the one in 'next' of the page before.");
  }
}
