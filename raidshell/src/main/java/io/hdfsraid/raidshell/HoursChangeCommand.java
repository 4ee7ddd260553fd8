package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.HoursRequest;
import io.hdfsraid.raidapi.HoursRequest.Wish;
import io.hdfsraid.raidapi.HoursView;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Changes when policies may act. */
abstract class HoursChangeCommand extends HoursScreen {
  @Option(names = "--yes", description = "Carry it out. Without this it is only shown.")
  private boolean yes;

  abstract Wish wish();

  abstract Duration time();

  @Override
  final HoursView ask(RaidNodeClient client) throws IOException {
    HoursRequest request;
    try {
      request = new HoursRequest(wish(), time(), !yes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
    return client.hours(request);
  }

  @Override
  final void show(HoursView view, Screen screen) {
    super.show(view, screen);
    screen.blank();
    screen.line(
        view.changed()
            ? "It is so from now on, also when the RaidNode is started again."
            : "Nothing was changed. To carry it out, add --yes.");
  }
}
