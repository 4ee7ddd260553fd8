package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.ScrubRequest;
import io.hdfsraid.raidapi.ScrubView;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "scrub",
    description = {
      "Looks at the stripes of a file, or of all raided files below a directory, now: asks the"
          + " DataNode of every replica for its checksum, or reads every replica to its end.",
      "Shows what that costs; --yes does it. What is found bad is repaired; 'raidshell history'"
          + " tells what came of it. 'raidshell repair cancel PATH' stops it."
    })
final class ScrubCommand extends PlanCommand {
  @Parameters(
      paramLabel = "PATH",
      converter = HdfsPath.class,
      description = "A file or directory with at most 10,000 raided files.")
  private String path;

  @Option(
      names = "--deep",
      description = "Read everything, which finds rot, too. Without this only checksums are asked.")
  private boolean deep;

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.scrub(new ScrubRequest(path, deep, dryRun()));
  }

  /** How the scrub of all stripes stands, for {@code status}. */
  static String sentence(ScrubView scrub) {
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

  private static String underWay(ScrubView scrub, boolean reads) {
    return String.format(
        Locale.ROOT,
        " at %s/s, to end at %s",
        reads
            ? Screen.bytes((long) scrub.bytesPerSecond())
            : "%.0f stripes".formatted(scrub.stripesPerSecond()),
        Screen.time(scrub.estimatedEnd()));
  }
}
