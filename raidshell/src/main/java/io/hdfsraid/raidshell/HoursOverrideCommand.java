package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.HoursRequest.Wish;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "override",
    description = {
      "Lets policies act at full speed for some hours, or not at all, whatever windows say.",
      "Shows what will be; --yes carries it out."
    })
final class HoursOverrideCommand extends HoursChangeCommand {
  @Option(
      names = "--for",
      paramLabel = "TIME",
      required = true,
      converter = RepairCancelCommand.Time.class,
      description = "How long, e.g. 30m, 12h or 2d; at most 7d.")
  private Duration time;

  @Option(names = "--closed", description = "Not at all.")
  private boolean closed;

  @Override
  Wish wish() {
    return closed ? Wish.CLOSED : Wish.OPEN;
  }

  @Override
  Duration time() {
    return time;
  }
}
