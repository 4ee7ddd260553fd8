// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidshell.command.DirectAccess;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.rescue.output.LibraryLogging;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;

/**
 * Implements the commands of the shell that work without a RaidNode, with {@code --offline} or
 * {@code --fsimage}.
 */
public final class HdfsDirectAccess implements DirectAccess {
  private final Installation installation;
  private final Clock clock;

  public HdfsDirectAccess(Installation installation, Clock clock) {
    this.installation = installation;
    this.clock = clock;
  }

  @Override
  public DirectAccess at(URI cluster) {
    return new HdfsDirectAccess(installation.at(cluster), clock);
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  @Override
  public FsckReport fsck(String below, Paging paging) throws IOException {
    return answered(
        () -> {
          try (ReadOnlyHdfs lookout = ReadOnlyHdfs.open(installation, clock)) {
            return new OfflineFsck(lookout, clock).run(below, paging);
          }
        });
  }

  @Override
  public ChangePreview repair(RepairRequest request, Takeover takeover) throws IOException {
    return answered(() -> new OfflineRepair(installation, clock).run(request, takeover));
  }

  @Override
  public FileHistogram histogram(Path image, PrintWriter progress) throws IOException {
    return answered(() -> new ImageHistogram(image, clock).count(progress));
  }

  private static <T> T answered(Work<T> work) throws IOException {
    LibraryLogging.hush();
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
