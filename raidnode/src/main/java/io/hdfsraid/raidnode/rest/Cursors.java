// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

/** Errors about the cursors of pages. */
public final class Cursors {
  private Cursors() {}

  public static ApiFailure notOne(String cursor) {
    return ApiFailure.badRequest(
        "'%s' is not a cursor".formatted(cursor), "Use the field 'next' of the page before.");
  }
}
