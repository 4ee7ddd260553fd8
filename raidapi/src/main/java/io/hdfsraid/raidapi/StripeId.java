// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Names a stripe as lists of repairs show it: {@code 16387/0} is the first stripe of the parity of
 * the file with inode id 16387, or of the group with this id. JSON uses the same form.
 *
 * @param inode inode id of a file under parity, or the id of a group
 * @param index index of the stripe in the parity, from 0
 */
public record StripeId(long inode, int index) {
  public StripeId {
    if (inode < 0 || index < 0) {
      throw new IllegalArgumentException(
          "A stripe has an inode id and an index from 0, but got " + inode + "/" + index);
    }
  }

  /**
   * Parses the form that {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  @JsonCreator
  public static StripeId parse(String text) {
    int slash = text.indexOf('/');
    try {
      return new StripeId(
          Long.parseLong(text.substring(0, Math.max(0, slash))),
          Integer.parseInt(text.substring(slash + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "A stripe is named INODE/INDEX, as in 16387/0, but this is '" + text + "'", e);
    }
  }

  @Override
  @JsonValue
  public String toString() {
    return inode + "/" + index;
  }
}
