package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.repair.Patience;
import io.hdfsraid.offline.output.Progress;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lets the rounds check and repair until nothing is left to do. */
final class Repairing {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration COUNTING = Duration.ofSeconds(5);
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(500);

  private final Scene scene;
  private long sentBefore;

  Repairing(Scene scene) {
    this.scene = scene;
  }

  /** What the check finds is in the ledger afterwards. */
  void check() throws IOException {
    scene.rounds().integrity().runAsking();
  }

  void repair(long bytes, List<Promise> promises) throws IOException {
    sentBefore = scene.hdfs().bytesRead();
    try (Progress progress = scene.story().bytes("Rebuilt", bytes)) {
      scene.witness().tell(progress::step);
      boolean whole =
          Patience.of(LIMIT, BETWEEN_ROUNDS)
              .until(
                  () -> {
                    scene.rounds().repair().run();
                    scene.rounds().repair().spreadCrowded();
                    check();
                    return ledger().isEmpty() && new Proof(scene).crowded().isEmpty();
                  });
      if (!whole) {
        throw new DemoFailure(
            "After %d s not everything is repaired: %s".formatted(LIMIT.toSeconds(), whatIsLeft()));
      }
    } finally {
      scene.witness().tellNobody();
    }
    awaitCounters(promises.stream().mapToLong(Promise::bytesSent).sum());
  }

  /** A DataNode counts when a read has ended, which is a moment after its reader has all of it. */
  private void awaitCounters(long promised) throws IOException {
    boolean unused = Patience.of(COUNTING, BETWEEN_ROUNDS).until(() -> bytesSent() >= promised);
  }

  private List<RepairRecord> ledger() {
    return scene.catalog().repairs().list(Optional.empty(), 1_000);
  }

  private String whatIsLeft() throws IOException {
    List<String> left = new ArrayList<>();
    for (RepairRecord record : ledger()) {
      left.add(
          "%s, units %s, %s %s"
              .formatted(record.path(), record.lost(), record.status(), record.reason()));
    }
    left.addAll(new Proof(scene).crowded());
    return String.join("; ", left);
  }

  /** What the DataNodes have counted as sent since the repairs began. */
  long bytesSent() {
    return scene.hdfs().bytesRead() - sentBefore;
  }
}
