package io.hdfsraid.raidnode.request;

import io.hdfsraid.raidapi.StormAnswer;
import io.hdfsraid.raidapi.StormRequest;
import io.hdfsraid.raidapi.StormView;
import io.hdfsraid.raidnode.rest.StormDesk;
import io.hdfsraid.raidnode.rounds.StormBreaker;
import io.hdfsraid.raidnode.view.RepairWork;
import java.io.IOException;
import java.util.Optional;

/** Has repairs go on although much has failed at once, because an operator says so. */
public final class StormRequests implements StormDesk {
  private final StormBreaker storms;

  public StormRequests(StormBreaker storms) {
    this.storms = storms;
  }

  @Override
  public StormAnswer storm() throws IOException {
    return new StormAnswer(storms.look().map(RepairWork::view), false);
  }

  @Override
  public StormAnswer override(StormRequest request) throws IOException {
    if (request.dryRun()) {
      return storm();
    }
    Optional<StormView> storm = storms.override(OperatorRequests.OPERATOR).map(RepairWork::view);
    return new StormAnswer(storm, storm.isPresent());
  }
}
