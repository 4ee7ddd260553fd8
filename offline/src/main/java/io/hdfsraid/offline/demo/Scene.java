package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.repair.Patience;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.rounds.Rounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Who plays: an HDFS, and the parts of the product that work on it. */
record Scene(
    DemoSettings settings,
    EmbeddedHdfs hdfs,
    HdfsCluster cluster,
    Catalog catalog,
    Rounds rounds,
    Witness witness,
    Story story) {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** A file under parity, with its stripes as HDFS shows them now. */
  record Guarded(String path, ParityFile parity, List<LocatedStripe> stripes) {}

  List<FileRecord> files() {
    List<FileRecord> files = new ArrayList<>();
    catalog.files().all(-1, files::add);
    return files;
  }

  /** By path, so that each run of the demo sees them in the same order. */
  List<Guarded> guarded() throws IOException {
    List<Guarded> guarded = new ArrayList<>();
    for (FileRecord file : files()) {
      Optional<ParityFile> parity = cluster.access().parity().find(file.inode());
      if (parity.isPresent()) {
        guarded.add(
            new Guarded(file.facts().path(), parity.get(), rounds.check().locate(parity.get())));
      }
    }
    guarded.sort(Comparator.comparing(Guarded::path));
    return guarded;
  }

  /**
   * Waits for what the cluster is about to do.
   *
   * @throws DemoFailure when it has not done it within the limit
   */
  static void await(String what, Duration limit, Patience.Look look) throws IOException {
    if (!Patience.of(limit, INTERVAL).until(look)) {
      throw new DemoFailure("After %d s still not: %s".formatted(limit.toSeconds(), what));
    }
  }
}
