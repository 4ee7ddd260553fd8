package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Vantage;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.offline.workspace.Workspace;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.raid.Pipelines;
import io.hdfsraid.raidnode.recency.RecencyRules;
import io.hdfsraid.raidnode.rounds.RepairRound;
import io.hdfsraid.raidnode.rounds.RoundSettings;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.rounds.StormBreaker;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferTotals;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidshell.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The whole story, from an empty HDFS to the proof that nothing was lost. */
final class Demo {
  /** Any will do; the same one breaks the same things. */
  private static final long SEED = 14978;

  /** Most of their time they wait for the NameNode's next look at things, once a second. */
  private static final int WORKERS = 8;

  private static final int MOVES = 32;

  private static final Duration TRACKED = Duration.ofDays(400);

  private final DemoSettings settings;
  private final Workspace workspace;
  private final Story story;
  private final Clock clock;
  private final Instant began;
  private final ReportDraft draft;

  Demo(DemoSettings settings, Workspace workspace, Story story, Clock clock) {
    this.settings = settings;
    this.workspace = workspace;
    this.story = story;
    this.clock = clock;
    this.began = clock.instant();
    this.draft = new ReportDraft(settings);
  }

  /** What is done when the story is told, and the HDFS still runs but nobody owns it any more. */
  @FunctionalInterface
  interface Epilogue {
    void play(EmbeddedHdfs hdfs, DemoReport report) throws IOException;
  }

  /**
   * Tells it, once.
   *
   * @throws DemoFailure when it did not end well; see {@link #soFar}
   */
  void run(Epilogue epilogue) throws IOException {
    story.step(
        "An HDFS of %d DataNodes on %d racks, blocks of %s"
            .formatted(
                settings.dataNodes(),
                DemoSettings.RACKS,
                Screen.bytes(settings.data().blockSize())));
    EmbeddedHdfs hdfs = Start.hdfs(settings, workspace.directory("hdfs"), story);
    try {
      try (HdfsCluster cluster =
              HdfsCluster.connect(
                  hdfs.uri(), hdfs.configuration(), ParitySettings.defaults(), clock);
          Catalog catalog = Catalog.open(workspace.directory("catalog"), clock)) {
        Witness witness = new Witness();
        // No node is nearer here, and which is busy would make repairs read other bytes each time.
        try (Rounds rounds =
            new Rounds(
                cluster,
                catalog,
                policies(),
                roundSettings(),
                witness,
                StepListener.NONE,
                clock,
                traffic -> NodeCost.NONE)) {
          play(new Scene(settings, hdfs, cluster, catalog, rounds, witness, story));
        }
      }
      epilogue.play(hdfs, draft.report(null, seconds()));
    } finally {
      if (!workspace.isEnding()) {
        hdfs.close();
      }
    }
  }

  /** The report on what is known when the demo has failed. */
  DemoReport soFar(String failure) {
    return draft.report(failure, seconds());
  }

  /** The demo's own, for the codec it shows. */
  private Policies policies() throws IOException {
    Path file = workspace.file(SettingsFiles.POLICIES);
    try (InputStream resource = Demo.class.getResourceAsStream("policies.yml")) {
      String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      Files.writeString(file, text.replace("${codec}", settings.codec().name()));
      return SettingsFiles.policies(file, clock);
    } catch (SettingsException e) {
      throw new IllegalStateException(e);
    }
  }

  private RoundSettings roundSettings() {
    RoundSettings usual = RoundSettings.defaults();
    return new RoundSettings(
        usual.root(),
        Tuning.workers(WORKERS, WORKERS, MOVES),
        usual.rowMemory(),
        MOVES,
        usual.auditFilesPerSecond(),
        Duration.ofSeconds(30),
        usual.dataNodeTimeout(),
        usual.repairAttempts(),
        new Pipelines.Limits(settings.data().files().size() + 10_000, Duration.ofDays(1)),
        // No node comes back here: nothing is gained by waiting for it.
        new RepairRound.Settings(Duration.ZERO, Duration.ZERO, Integer.MAX_VALUE),
        StormBreaker.Limits.NONE,
        usual.scrub(),
        usual.history(),
        RecencyRules.listing(usual.root(), Optional.of(clock.instant().minus(TRACKED))),
        // All its DataNodes run on this machine; so that there is something to see, we run
        // elsewhere.
        new Vantage(Set.of(), Optional.of("/rack0")));
  }

  private static long transferred(Scene scene, Direction direction, Distance distance) {
    return scene.rounds().traffic().totals().totals().stream()
        .filter(total -> total.purpose() == Purpose.RAIDING)
        .filter(total -> total.direction() == direction && total.distance() == distance)
        .mapToLong(TransferTotals.Total::bytes)
        .sum();
  }

  private void play(Scene scene) throws IOException {
    story.step("Load files as any client does, three copies of each block");
    Map<String, Long> checksums = Loading.load(settings.data(), scene.hdfs(), story);
    draft.physicalBytesBefore = Disks.used(scene.hdfs());

    story.step("What the policies decide, coldest first");
    Raiding raiding = new Raiding(scene);
    raiding.scanAndJudge(clock.instant());

    story.step("Raid with %s, coldest first".formatted(settings.codec().name()));
    raiding.raid();
    draft.physicalBytesAfter = Disks.used(scene.hdfs());
    draft.filesRaided = raiding.raided().size();
    draft.filesLeft = raiding.left();
    draft.effectiveReplicationRaided = raiding.effectiveReplication();
    draft.unitsMoved = scene.witness().unitsMoved();
    raiding.showStates();
    draft.smallFiles = raiding.smallFiles();
    show(draft.smallFiles);
    story.say(
        String.format(
            Locale.ROOT,
            "On the DataNodes' disks: %s before, %s now; %.2f copies of each byte, %.2f of the raided ones",
            Screen.bytes(draft.physicalBytesBefore),
            Screen.bytes(draft.physicalBytesAfter),
            (double) draft.physicalBytesAfter / settings.data().bytes(),
            draft.effectiveReplicationRaided));
    story.say(
        "For it we read %s in our rack and %s in others, each block once; parity written: %s"
            .formatted(
                Screen.bytes(transferred(scene, Direction.READ, Distance.SAME_RACK)),
                Screen.bytes(transferred(scene, Direction.READ, Distance.OFF_RACK)),
                Screen.bytes(
                    transferred(scene, Direction.WRITTEN, Distance.SAME_RACK)
                        + transferred(scene, Direction.WRITTEN, Distance.OFF_RACK))));

    story.step("Break things, and tell nobody");
    DamagePlan plan = DamagePlan.of(scene.guarded(), scene.hdfs(), SEED);
    List<Promise> promises = plan.promises();
    Damage damage = new Damage(scene, plan);
    damage.inflict();
    draft.blocksLost = plan.blocks().size();
    damage.show();

    story.step("Read every damaged file while it is damaged");
    Detection detection = new Detection(scene, plan);
    detection.beforeReads();
    Reading.Result read = new Reading(scene, checksums).read(plan.files());
    draft.filesReadDegraded = read.degraded();
    draft.filesDamaged = paths(read.wrong());

    story.step("Find what is lost, and repair it");
    repair(scene, plan, promises, detection);

    story.step("The proof");
    prove(scene, checksums, read.wrong());
    story.say(
        "Nothing was lost: %d blocks broken, %d rebuilt, %d files verified, in %.0f s"
            .formatted(draft.blocksLost, draft.blocksRepaired, draft.filesVerified, seconds()));
  }

  private void show(DemoReport.SmallFiles small) {
    if (small.files() > 0) {
      story.say(
          String.format(
              Locale.ROOT,
              "And %d small files share the parity of %s: %s of data took %s on disk and take %s now, %.2f copies of each byte",
              small.files(),
              small.groups() == 1 ? "one group" : small.groups() + " groups",
              Screen.bytes(small.bytes()),
              Screen.bytes(small.bytesOnDiskBefore()),
              Screen.bytes(small.bytesOnDiskAfter()),
              small.effectiveReplication()));
    }
  }

  private void repair(Scene scene, DamagePlan plan, List<Promise> promises, Detection detection)
      throws IOException {
    Repairing repairing = new Repairing(scene);
    repairing.check();
    draft.detectedBy = detection.bySource();
    detection.show();
    Witness witness = scene.witness();
    try {
      repairing.repair(plan.bytes(), promises);
    } finally {
      long movedForRaiding = draft.unitsMoved;
      Reckoning reckoning = new Reckoning(settings.codec(), promises, witness);
      draft.unitsMoved = witness.unitsMoved();
      draft.blocksRepaired = witness.blocksRepaired();
      draft.bytesReadForRepair = witness.bytesReadForRepair();
      draft.bytesSentForRepair = repairing.bytesSent();
      draft.unitsMovedDuringRepair = draft.unitsMoved - movedForRaiding;
      draft.bytesSentByRecipe = reckoning.bytesSentByRecipe();
      draft.repairs = reckoning.byLosses();
      draft.singleLosses = reckoning.singleLosses();
      draft.otherThanPromised = reckoning.otherThanPromised();
      reckoning.show(story, draft.bytesSentForRepair, draft.unitsMovedDuringRepair);
    }
  }

  private double seconds() {
    return Duration.between(began, clock.instant()).toMillis() / 1000.0;
  }

  /** How many files the faults are about. */
  private static int paths(List<String> faults) {
    return (int) faults.stream().map(fault -> fault.split(" ", 2)[0]).distinct().count();
  }

  /**
   * Asks everybody.
   *
   * @param wrongBefore what was wrong with bytes while they were damaged
   */
  private void prove(Scene scene, Map<String, Long> checksums, List<String> wrongBefore)
      throws IOException {
    Proof proof = new Proof(scene);
    draft.notProven = new ArrayList<>();
    List<String> wrong = proof.wrongBytes(checksums);
    draft.filesVerified = checksums.size() - wrong.size();
    List<String> faults = new ArrayList<>(wrongBefore);
    faults.addAll(wrong);
    draft.filesDamaged = paths(faults);
    claim("Every file has the bytes that were loaded", wrong);
    claim("The NameNode's fsck says HEALTHY", proof.fsck());
    claim("Every stripe has all its units, say NameNode and DataNodes", proof.unhealthy());
    claim("No two units of a stripe lie on one DataNode", proof.crowded());
    if (!faults.isEmpty()) {
      throw new DemoFailure("Bytes are wrong: " + String.join("; ", faults));
    }
    if (!draft.notProven.isEmpty()) {
      throw new DemoFailure("It did not end as it should: " + String.join("; ", draft.notProven));
    }
  }

  private void claim(String what, List<String> against) {
    story.say((against.isEmpty() ? "[ok]   " : "[FAIL] ") + what);
    against.forEach(fault -> story.say("       " + fault));
    if (!against.isEmpty()) {
      draft.notProven.add("Not true: %s (%s)".formatted(what, String.join("; ", against)));
    }
  }
}
