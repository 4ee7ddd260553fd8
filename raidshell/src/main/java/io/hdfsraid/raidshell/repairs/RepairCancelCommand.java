// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.repairs;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidshell.command.ChangeCommand;
import io.hdfsraid.raidshell.command.DurationConverter;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.StripeIdConverter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

@Command(
    name = "cancel",
    description = {
      "Cancels requests for repairs and scrubs, or pauses the repair of stripes for a while."
          + " Running repairs are interrupted. No unit is left half delivered.",
      "Shows the change; --yes carries it out."
    })
public final class RepairCancelCommand extends ChangeCommand {
  @ArgGroup(multiplicity = "1")
  private Which which;

  static final class Which {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPathConverter.class,
        description = "Cancel the requests for exactly this path.")
    private String path;

    @Option(
        names = "--stripe",
        paramLabel = "INODE/INDEX",
        split = ",",
        converter = StripeIdConverter.class,
        description =
            "Pause the repair of these stripes, also if the RaidNode started it, until --for is"
                + " over or more of their units are lost.")
    private List<StripeId> stripes;

    @Option(names = "--all", description = "Cancel all requests.")
    private boolean all;
  }

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long the repair of stripes is paused, e.g. 30m, 12h or 2d. Default: 1h, at most 7d.")
  private Duration pause;

  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    try {
      return client.cancel(
          new CancelRepairRequest(which.path, which.stripes, which.all, pause, dryRun()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }
}
