package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.CancelRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.StripeId;
import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "cancel",
    description = {
      "Drops requests for repairs and scrubs that wait or run, or leaves stripes for a while. Repairs"
          + " that run are cut off; nothing of them is left half delivered.",
      "Shows what that would be; --yes carries it out."
    })
final class RepairCancelCommand extends PlanCommand {
  @ArgGroup(multiplicity = "1")
  private Which which;

  static final class Which {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPath.class,
        description = "Requests for exactly this path.")
    private String path;

    @Option(
        names = "--stripe",
        paramLabel = "INODE/INDEX",
        split = ",",
        converter = StripeName.class,
        description =
            "Leave these stripes, also when the RaidNode repairs them by itself, until --for is over"
                + " or more of them is lost.")
    private List<StripeId> stripes;

    @Option(names = "--all", description = "All requests.")
    private boolean all;
  }

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Time.class,
      description = "How long stripes are left, e.g. 30m, 12h or 2d. Default: 1h, at most 7d.")
  private Duration pause;

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    try {
      return client.cancel(
          new CancelRequest(which.path, which.stripes, which.all, pause, dryRun()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }

  /** Reads {@code 30m}, as ISO 8601 has it without its {@code P} and {@code T}. */
  static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      String upper = text.toUpperCase(Locale.ROOT);
      try {
        return Duration.parse(upper.endsWith("D") ? "P" + upper : "PT" + upper);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException("'" + text + "' is no time, as 30m, 12h or 2d are");
      }
    }
  }
}
