package io.hdfsraid.offline.demo;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.raid.Pipelines;
import io.hdfsraid.raidnode.rounds.RepairRound;
import io.hdfsraid.raidnode.rounds.RoundSettings;
import io.hdfsraid.raidnode.rounds.Rounds;
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

  Demo(DemoSettings settings, Workspace workspace, Story story, Clock clock) {
    this.settings = settings;
    this.workspace = workspace;
    this.story = story;
    this.clock = clock;
  }

  /** What is done when the story is told, and the HDFS still runs but nobody owns it any more. */
  @FunctionalInterface
  interface Epilogue {
    void play(EmbeddedHdfs hdfs, DemoReport report) throws IOException;
  }

  /**
   * Tells it.
   *
   * @throws DemoFailure when it did not end well
   */
  DemoReport run(Epilogue epilogue) throws IOException {
    Instant began = clock.instant();
    story.step(
        "An HDFS of %d DataNodes on %d racks, blocks of %s"
            .formatted(
                settings.dataNodes(),
                DemoSettings.RACKS,
                Screen.bytes(settings.data().blockSize())));
    EmbeddedHdfs hdfs = Start.hdfs(settings, workspace.directory("hdfs"), story);
    try {
      DemoReport report;
      try (HdfsCluster cluster =
              HdfsCluster.connect(
                  hdfs.uri(), hdfs.configuration(), ParitySettings.defaults(), clock);
          Catalog catalog = Catalog.open(workspace.directory("catalog"), clock)) {
        Witness witness = new Witness();
        try (Rounds rounds =
            new Rounds(
                cluster, catalog, policies(), roundSettings(), witness, StepListener.NONE, clock)) {
          report = play(new Scene(settings, hdfs, cluster, catalog, rounds, witness, story), began);
        }
      }
      epilogue.play(hdfs, report);
      return report;
    } finally {
      if (!workspace.isEnding()) {
        hdfs.close();
      }
    }
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
        WORKERS,
        WORKERS,
        usual.ioThreads(),
        usual.rowMemory(),
        MOVES,
        Duration.ofSeconds(30),
        usual.repairAttempts(),
        new Pipelines.Limits(settings.data().files().size() + 10_000, Duration.ofDays(1)),
        // No node comes back here: nothing is gained by waiting for it.
        new RepairRound.Settings(Duration.ZERO, Duration.ZERO, Integer.MAX_VALUE),
        usual.history(),
        Optional.of(clock.instant().minus(TRACKED)));
  }

  private DemoReport play(Scene scene, Instant began) throws IOException {
    story.step("Load files as any client does, three copies of each block");
    Map<String, Long> checksums = Loading.load(settings.data(), scene.hdfs(), story);
    long before = Disks.used(scene.hdfs());

    story.step("What the policies decide, coldest first");
    Raiding raiding = new Raiding(scene);
    raiding.scanAndJudge(clock.instant());

    story.step("Raid with %s, coldest first".formatted(settings.codec().name()));
    raiding.raid();
    long after = Disks.used(scene.hdfs());
    raiding.showStates();
    long logical = settings.data().bytes();
    story.say(
        String.format(
            Locale.ROOT,
            "On the DataNodes' disks: %s before, %s now; %.2f copies of each byte, %.2f of the raided ones",
            Screen.bytes(before),
            Screen.bytes(after),
            (double) after / logical,
            raiding.effectiveReplication()));
    int raided = raiding.raided().size();
    var left = raiding.left();

    story.step("Break things, and tell nobody");
    DamagePlan plan = DamagePlan.of(scene.guarded(), scene.hdfs(), SEED);
    Damage damage = new Damage(scene, plan);
    damage.inflict();
    damage.show();

    story.step("Read every damaged file while it is damaged");
    Detection detection = new Detection(scene, plan);
    detection.beforeReads();
    Reading.Result read = new Reading(scene, checksums).read(plan.files());

    story.step("Find what is lost, and repair it");
    Repairing repairing = new Repairing(scene);
    repairing.check();
    detection.show();
    repairing.repair(plan.bytes());
    repairing.show();

    story.step("The proof");
    List<String> wrong = prove(scene, checksums);
    List<String> faults = new ArrayList<>(wrong);
    faults.addAll(read.wrong());
    Witness witness = scene.witness();
    DemoReport report =
        new DemoReport(
            settings.codec().name(),
            settings.dataNodes(),
            raided,
            left,
            logical,
            before,
            after,
            (double) after / logical,
            raiding.effectiveReplication(),
            witness.unitsMoved(),
            plan.blocks().size(),
            detection.bySource(),
            witness.blocksRepaired(),
            witness.repairs().values().stream().mapToLong(DemoReport.Repairs::bytesRead).sum(),
            witness.repairs(),
            read.degraded(),
            checksums.size() - wrong.size(),
            (int) faults.stream().map(fault -> fault.split(" ", 2)[0]).distinct().count(),
            Duration.between(began, clock.instant()).toMillis() / 1000.0);
    if (!faults.isEmpty()) {
      throw new DemoFailure("Bytes are wrong: " + String.join("; ", faults));
    }
    story.say(
        String.format(
            Locale.ROOT,
            "Nothing was lost: %d blocks broken, %d rebuilt, %d files verified, in %.0f s",
            report.blocksLost(),
            report.blocksRepaired(),
            report.filesVerified(),
            report.seconds()));
    return report;
  }

  /** Everything but the bytes fails at once; the bytes are the caller's to judge. */
  private List<String> prove(Scene scene, Map<String, Long> checksums) throws IOException {
    Proof proof = new Proof(scene);
    List<String> wrong = proof.wrongBytes(checksums);
    claim("Every file has the bytes that were loaded", wrong);
    List<String> fsck = proof.fsck();
    claim("The NameNode's fsck says HEALTHY", fsck);
    List<String> unhealthy = proof.unhealthy();
    claim("Every stripe has all its units, say NameNode and DataNodes", unhealthy);
    List<String> crowded = proof.crowded();
    claim("No two units of a stripe lie on one DataNode", crowded);
    if (!fsck.isEmpty() || !unhealthy.isEmpty() || !crowded.isEmpty()) {
      throw new DemoFailure("It did not end as it should; what does not hold is marked above");
    }
    return wrong;
  }

  private void claim(String what, List<String> against) {
    story.say((against.isEmpty() ? "[ok]   " : "[FAIL] ") + what);
    against.forEach(fault -> story.say("       " + fault));
  }
}
