package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.CancelRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RepairRequest;
import java.io.IOException;

/** What an operator wants repaired now, or not. */
public interface RepairDesk {
  /** Repairs, unless it is a dry run. */
  PlanView repair(RepairRequest request) throws IOException;

  /** Stops what was asked for, or leaves stripes for a while, unless it is a dry run. */
  PlanView cancel(CancelRequest request) throws IOException;
}
