package io.hdfsraid.raidnode.recency.audit;

/** Why a line of an audit log cannot be used. */
enum Flaw {
  TIME("does not begin with a time such as 2026-11-21 00:30:43,755"),
  JSON("is JSON, and only Hadoop's own layout of tabs and key=value is read"),
  FIELDS("has not the fields allowed, ugi, ip, cmd, src and dst, each once and in this order"),
  ESCAPE("has a path with an escape that is none of Java's"),
  UTF_8("has a path that is not UTF-8"),
  PATH("has a path that does not begin with /"),
  LENGTH("is longer than any line of Hadoop's"),
  FUTURE(
      "is of a time that is still to come: are recency.auditLogTimeZone and the clocks those of the NameNode?"),
  END("ends in the middle, and its file is not written to any more");

  private final String text;

  Flaw(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
