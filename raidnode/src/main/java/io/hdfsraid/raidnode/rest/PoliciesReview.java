package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.PoliciesCheck;
import io.hdfsraid.raidapi.PoliciesDraft;

/** Reads policies that are not in force as if they were to be. Changes nothing. */
@FunctionalInterface
public interface PoliciesReview {
  PoliciesCheck check(PoliciesDraft draft);
}
