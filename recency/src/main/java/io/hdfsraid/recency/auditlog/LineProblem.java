// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

/** Why a line of an audit log cannot be parsed. */
enum LineProblem {
  TIME("does not begin with a time such as 2026-11-21 00:30:43,755"),
  JSON("is JSON, but only Hadoop's default format of tabs and key=value is supported"),
  FIELDS("does not have the fields allowed, ugi, ip, cmd, src and dst once each and in this order"),
  ESCAPE("has a path with an invalid Java escape"),
  UTF_8("has a path that is not UTF-8"),
  PATH("has a path that does not begin with /"),
  LENGTH("is longer than any line that Hadoop writes"),
  FUTURE(
      "is of a time that is still to come: are recency.auditLogTimeZone and the clocks those of the"
          + " NameNode?"),
  END("is incomplete, and its file is not written any more");

  private final String text;

  LineProblem(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
