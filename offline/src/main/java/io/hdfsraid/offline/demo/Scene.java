package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.repair.Patience;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.recency.IndexedFacts;
import io.hdfsraid.raidnode.rounds.Rounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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

  /**
   * Parity, with its stripes as HDFS shows them now.
   *
   * @param paths of the files it protects, by inode id: one, or those of a group
   */
  record Guarded(ParityFile parity, List<LocatedStripe> stripes, Map<Long, String> paths) {
    /** The file it protects; of a group, the first by path. */
    String path() {
      return paths.values().stream().min(Comparator.naturalOrder()).orElseThrow();
    }

    /** The file whose block a unit is; of a parity unit, one of those in the stripe. */
    String pathOf(LocatedStripe stripe, int unit) {
      Manifest manifest = parity.manifest();
      List<DataUnit> data = manifest.stripes().get(stripe.index()).data();
      DataUnit block = data.get(Math.min(unit, data.size() - 1));
      return paths.get(manifest.members().get(block.member()).inode());
    }
  }

  /** All files there are, as the index knows them. */
  List<FileFacts> files() {
    List<FileFacts> files = new ArrayList<>();
    catalog.namespace().forEach(file -> files.add(IndexedFacts.of(file)));
    return files;
  }

  /** Those that something was done to. */
  List<FileRecord> known() {
    List<FileRecord> files = new ArrayList<>();
    catalog.files().all(-1, files::add);
    return files;
  }

  /** By path, so that each run of the demo sees them in the same order. */
  List<Guarded> guarded() throws IOException {
    Map<Long, Map<Long, String>> paths = new TreeMap<>();
    for (FileRecord file : known()) {
      paths
          .computeIfAbsent(rounds.attend().parityOf(file.inode()), id -> new TreeMap<>())
          .put(file.inode(), file.facts().path());
    }
    List<Guarded> guarded = new ArrayList<>();
    for (Map.Entry<Long, Map<Long, String>> each : paths.entrySet()) {
      Optional<ParityFile> parity = cluster.access().parity().find(each.getKey());
      if (parity.isPresent()) {
        guarded.add(
            new Guarded(parity.get(), rounds.check().locate(parity.get()), each.getValue()));
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
