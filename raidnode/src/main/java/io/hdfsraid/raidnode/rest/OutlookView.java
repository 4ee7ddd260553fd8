package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.RaidingOutlook;
import java.util.Optional;

/** What the policies will do. Changes nothing. */
@FunctionalInterface
public interface OutlookView {
  /**
   * By the last count of all files.
   *
   * @param policy empty for all
   * @throws ApiFailure when nothing was counted yet, or there is no such policy
   */
  RaidingOutlook outlook(Optional<String> policy);
}
