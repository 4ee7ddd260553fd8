package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.HoursRequest.Wish;
import java.time.Duration;
import picocli.CommandLine.Command;

@Command(
    name = "follow",
    description = {
      "Lets policies act as their windows and blackouts say, and ends an override.",
      "Shows what will be; --yes carries it out."
    })
final class HoursFollowCommand extends HoursChangeCommand {
  @Override
  Wish wish() {
    return Wish.FOLLOW;
  }

  @Override
  Duration time() {
    return Duration.ZERO;
  }
}
