package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.QuarantineRequest;
import io.hdfsraid.raidapi.QuarantineView;
import java.io.IOException;

/** What is in quarantine, and what operators may do with it. A dry run changes nothing. */
public interface QuarantineDesk {
  Page<QuarantineView> list(String below, Paging paging) throws IOException;

  PlanView restore(QuarantineRequest request) throws IOException;

  PlanView purge(QuarantineRequest request) throws IOException;
}
