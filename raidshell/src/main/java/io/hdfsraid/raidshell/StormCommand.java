package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.StormAnswer;
import io.hdfsraid.raidapi.StormRequest;
import io.hdfsraid.raidapi.StormView;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "storm",
    description = {
      "Whether repairs pause because many DataNodes, or the units of many stripes, went at once.",
      "Stripes that bear no further loss are repaired all the same. It ends when nodes are back."
    })
final class StormCommand extends RestCommand<StormAnswer> {
  @Option(
      names = "--override",
      description = "Go on with all repairs: what is gone by now will not come back soon.")
  private boolean override;

  @Option(names = "--yes", description = "Carry it out. Without this it is only shown.")
  private boolean yes;

  @Override
  StormAnswer ask(RaidNodeClient client) throws IOException {
    return override ? client.storm(new StormRequest(!yes)) : client.storm();
  }

  @Override
  void show(StormAnswer answer, Screen screen) {
    if (answer.storm().isEmpty()) {
      screen.line("No storm: repairs do not pause.");
      return;
    }
    StormView storm = answer.storm().get();
    screen.line("Noticed %s: %s".formatted(Screen.time(storm.since()), storm.why()));
    screen.line(
        answer.overridden()
            ? "Overridden: all repairs go on. What goes from now on counts anew."
            : "Repairs pause, but for stripes that bear no further loss.");
    if (override && !answer.overridden()) {
      screen.line("Nothing was changed. To carry it out, add --yes.");
    }
  }
}
