package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.Status;

/** The daemon at a glance. */
@FunctionalInterface
public interface StatusView {
  Status status();
}
