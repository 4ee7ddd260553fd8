package io.hdfsraid.offline.demo;

import io.hdfsraid.offline.demo.DemoReport.SmallFiles;
import io.hdfsraid.offline.output.Progress;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.rounds.ScanRound;
import io.hdfsraid.raidnode.view.JudgedFiles;
import io.hdfsraid.raidshell.Screen;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Scans, judges, raids, and waits until every raided file bears what its code promises. */
final class Raiding {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Scene scene;

  Raiding(Scene scene) {
    this.scene = scene;
  }

  void scanAndJudge(Instant now) throws IOException {
    ScanRound.Scanned scanned = scene.rounds().scan().run();
    VerdictTable table = new VerdictTable(now);
    scene.files().stream()
        .sorted(FileFacts.COLDEST_FIRST)
        .forEach(
            file ->
                table.add(
                    file,
                    scene
                        .rounds()
                        .policies()
                        .judge()
                        .verdict(file, scene.rounds().recency().tracking())));
    table.show(scene.story());
    scene.story().say("%d files, %d to be raided".formatted(scanned.files(), scanned.candidates()));
  }

  void raid() throws IOException {
    List<FileFacts> candidates = scene.rounds().raid().candidates(policy -> true);
    if (candidates.isEmpty()) {
      throw new DemoFailure("None of the files is to be raided: there is nothing to show");
    }
    long bytes = candidates.stream().mapToLong(FileFacts::length).sum();
    try (Progress progress = scene.story().bytes("Encoded", bytes)) {
      scene.witness().tell(progress::step);
      scene.rounds().raid().run(policy -> true);
    } finally {
      scene.witness().tellNobody();
    }
    try (Progress progress =
        scene.story().items("Excess replicas gone, stripes spread, files", candidates.size())) {
      Scene.await(
          "all files are raided",
          LIMIT,
          () -> {
            int underWay = scene.rounds().attend().run();
            progress.stepTo(raided().size());
            return underWay == 0;
          });
    }
    for (FileFacts candidate : candidates) {
      FileRecord now = scene.catalog().files().find(candidate.inodeId()).orElseThrow();
      if (now.status() != FileStatus.RAIDED) {
        throw new DemoFailure(
            "%s is %s, not raided: %s"
                .formatted(now.facts().path(), now.status().tag(), now.standing().detail()));
      }
    }
  }

  List<FileRecord> raided() {
    return scene.known().stream().filter(file -> file.status() == FileStatus.RAIDED).toList();
  }

  SortedMap<String, Integer> left() {
    SortedMap<String, Integer> left = new TreeMap<>();
    JudgedFiles judged =
        new JudgedFiles(
            scene.catalog(),
            scene.rounds().policies(),
            scene.rounds().recency(),
            Clock.systemUTC());
    for (FileFacts file : scene.files()) {
      judged
          .find(file.inodeId())
          .filter(now -> now.status() == FileStatus.LEFT)
          .flatMap(now -> now.standing().reason())
          .ifPresent(reason -> left.merge(reason.name(), 1, Integer::sum));
    }
    return left;
  }

  /** Bytes on disks per byte of data, for the raided files and their parity. */
  double effectiveReplication() {
    List<FileRecord> raided = raided();
    long data = raided.stream().mapToLong(file -> file.facts().length()).sum();
    return (double) raided.stream().mapToLong(Raiding::onDisk).sum() / data;
  }

  private static long onDiskBefore(FileRecord file) {
    return file.facts().length() * file.parity().orElseThrow().originalReplication();
  }

  private static long onDisk(FileRecord file) {
    Parity parity = file.parity().orElseThrow();
    return file.facts().length() * parity.targetReplication()
        + parity.bytes() * parity.parityReplication();
  }

  void showStates() {
    scene
        .story()
        .table(
            List.of("RAIDED FILE", "STRIPES", "DATA", "PARITY", "BEFORE", "ON DISK", "COPIES"),
            raided().stream()
                .filter(file -> !isTogether(file))
                .sorted(Comparator.comparing(file -> file.facts().path()))
                .map(Raiding::state)
                .toList());
  }

  private boolean isTogether(FileRecord file) {
    return scene.rounds().attend().parityOf(file.inode()) != file.inode();
  }

  /** What sharing parity has made of the files that are too small alone. */
  SmallFiles smallFiles() {
    List<FileRecord> together = raided().stream().filter(this::isTogether).toList();
    long bytes = together.stream().mapToLong(file -> file.facts().length()).sum();
    long onDisk = together.stream().mapToLong(Raiding::onDisk).sum();
    return new SmallFiles(
        together.size(),
        (int)
            together.stream()
                .mapToLong(file -> scene.rounds().attend().parityOf(file.inode()))
                .distinct()
                .count(),
        bytes,
        together.stream().mapToLong(Raiding::onDiskBefore).sum(),
        onDisk,
        bytes == 0 ? null : (double) onDisk / bytes);
  }

  private static List<String> state(FileRecord file) {
    Parity parity = file.parity().orElseThrow();
    long length = file.facts().length();
    return List.of(
        file.facts().path(),
        Integer.toString(parity.stripes()),
        Screen.bytes(length),
        Screen.bytes(parity.bytes()),
        Screen.bytes(onDiskBefore(file)),
        Screen.bytes(onDisk(file)),
        String.format(Locale.ROOT, "%.2f", (double) onDisk(file) / length));
  }
}
