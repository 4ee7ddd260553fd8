package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidRequest;
import io.hdfsraid.raidapi.ScrubRequest;
import io.hdfsraid.raidapi.UnraidRequest;
import java.io.IOException;

/**
 * What an operator may ask for. A dry run changes nothing, whatever it answers.
 *
 * <p>Each throws {@link ApiFailure} when there is nothing at the path, or when it is refused as a
 * whole.
 */
public interface RaidRequests {
  PlanView raid(RaidRequest request) throws IOException;

  PlanView unraid(UnraidRequest request) throws IOException;

  PlanView scrub(ScrubRequest request) throws IOException;
}
