package io.hdfsraid.raidnode.rest;

/** The name under which the history lists requests of operators. */
public final class Operator {
  public static final String NAME = "operator";

  private Operator() {}
}
