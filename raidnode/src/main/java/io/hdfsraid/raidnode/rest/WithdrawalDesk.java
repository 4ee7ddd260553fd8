package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.PauseRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.TracesReport;
import io.hdfsraid.raidapi.WithdrawRequest;
import java.io.IOException;

/** Stopping, undoing, and seeing what is left. A dry run changes nothing. */
public interface WithdrawalDesk {
  PlanView withdraw(WithdrawRequest request) throws IOException;

  PlanView pause(PauseRequest request) throws IOException;

  /** Asked of HDFS now. */
  TracesReport traces() throws IOException;
}
