// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.scrub;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.scrub.ScrubProgress;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.TaskCommand;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "scrub",
    description = {
      "Checks the stripes of a file, or of all raided files below a directory, now: asks the"
          + " DataNode of every replica for its checksum, or reads every replica to its end.",
      "Shows the cost; --yes carries it out. Bad units are repaired. 'raidshell history'"
          + " shows the result. 'raidshell repair cancel PATH' stops the scrub."
    })
public final class ScrubCommand extends TaskCommand {
  @Parameters(
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description = "A file or directory with at most 10,000 raided files.")
  private String path;

  @Option(
      names = "--deep",
      description =
          "Read every replica, which also finds flipped bits. Without --deep only checksums are"
              + " asked for.")
  private boolean deep;

  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    return client.scrub(new ScrubRequest(path, deep, dryRun()));
  }

  /** Returns the progress of a scrub in one line, for {@code status}. */
  public static String sentence(ScrubProgress scrub) {
    boolean reads = scrub.depth().equals("deep");
    return String.format(
        Locale.ROOT,
        "Scrub (%s): %d of %d parity files%s; %d stripes%s, %d bad replicas%s; longest ago: %s%s",
        reads ? "reading" : "asking",
        scrub.files(),
        scrub.allFiles(),
        scrub.began().isEmpty()
            ? ", not begun"
            : scrub
                .ended()
                .map(at -> ", ended at " + Screen.time(at))
                .orElseGet(() -> underWay(scrub, reads)),
        scrub.stripes(),
        reads ? ", " + Screen.bytes(scrub.bytes()) : "",
        scrub.badReplicas(),
        scrub.unanswered() + scrub.failed() == 0
            ? ""
            : "; %d to be looked at again".formatted(scrub.unanswered() + scrub.failed()),
        Screen.time(scrub.oldest()),
        scrub
            .neverSince()
            .map(since -> "; never looked at since " + Screen.time(since))
            .orElse(""));
  }

  private static String underWay(ScrubProgress scrub, boolean reads) {
    return String.format(
        Locale.ROOT,
        " at %s/s, to end at %s",
        reads
            ? Screen.bytes((long) scrub.bytesPerSecond())
            : "%.0f stripes".formatted(scrub.stripesPerSecond()),
        Screen.time(scrub.estimatedEnd()));
  }
}
