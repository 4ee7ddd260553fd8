package io.hdfsraid.offline.rescue;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.offline.output.QuietLibraries;
import io.hdfsraid.raidapi.FileHistogram;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RepairRequest;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidshell.ExitCode;
import io.hdfsraid.raidshell.ShellException;
import io.hdfsraid.raidshell.WithoutRaidNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;

/** The commands of the shell that do without a RaidNode when they are told to. */
public final class Rescue implements WithoutRaidNode {
  private final Installation installation;
  private final Clock clock;

  public Rescue(Installation installation, Clock clock) {
    this.installation = installation;
    this.clock = clock;
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  @Override
  public FsckReport fsck(String below, Paging paging) throws IOException {
    return answered(
        () -> {
          try (Lookout lookout = Lookout.open(installation, clock)) {
            return new OfflineFsck(lookout, clock).run(below, paging);
          }
        });
  }

  @Override
  public PlanView repair(RepairRequest request, Takeover takeover) throws IOException {
    return answered(() -> new OfflineRepair(installation, clock).run(request, takeover));
  }

  @Override
  public FileHistogram histogram(Path image, PrintWriter progress) throws IOException {
    return answered(() -> new ImageHistogram(image, clock).count(progress));
  }

  private static <T> T answered(Work<T> work) throws IOException {
    QuietLibraries.hush();
    try {
      return work.run();
    } catch (RefusedException e) {
      throw new ShellException(ExitCode.REFUSED, e.getMessage(), "");
    } catch (ApiFailure e) {
      throw new ShellException(
          switch (e.error().code()) {
            case REFUSED -> ExitCode.REFUSED;
            case BAD_REQUEST -> ExitCode.USAGE;
            default -> ExitCode.IO;
          },
          e.error().message(),
          e.error().hint());
    }
  }
}
