package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.RepairView;

/** The stripes that wait for their repair. */
@FunctionalInterface
public interface RepairsView {
  /**
   * A page of them.
   *
   * @throws ApiFailure when the cursor is not one
   */
  Page<RepairView> list(Paging paging);
}
