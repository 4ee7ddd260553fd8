// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.reheat;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.ReheatCosts;
import io.hdfsraid.recency.namespace.Access;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the reads of files since they were raided. A small sample of files per minute tells how
 * many of the reads went to another machine; the load on the NameNode stays negligible.
 */
public final class RaidedReads {
  private static final Logger LOG = LoggerFactory.getLogger(RaidedReads.class);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Of these the NameNode has dropped replicas, or is about to. */
  private static final Set<FileState> LOWERED = EnumSet.of(FileState.REDUCED, FileState.RAIDED);

  /** Files that are located in a minute. */
  static final int SAMPLE = 10;

  private final KnownFiles files;
  private final ReheatCosts costs;
  private final ReadLocality locality;
  private final Clock clock;
  private final Random random = new Random();
  private Instant sampleEnds = Instant.MIN;
  private int sampled;

  public RaidedReads(Catalog catalog, ReadLocality locality, Clock clock) {
    this.files = catalog.files();
    this.costs = catalog.reheatCosts();
    this.locality = locality;
    this.clock = clock;
  }

  /** Reads of a raided file, by the addresses of the readers. */
  private record Raided(long inode, List<String> readers) {}

  /**
   * Counts those of raided files.
   *
   * @param reads of each file, by its number
   */
  public void count(Map<Long, List<Access>> reads) {
    List<Raided> raided = new ArrayList<>();
    reads.forEach((inode, accesses) -> sinceRaided(inode, accesses).ifPresent(raided::add));
    if (raided.isEmpty()) {
      return;
    }
    long opens = raided.stream().mapToLong(file -> file.readers().size()).sum();
    costs.add(cost -> cost.plusOpens(opens));
    Collections.shuffle(raided, random);
    raided.forEach(this::locate);
  }

  /** Logs may report a read long after it. Before a file was raided it had all its replicas. */
  private Optional<Raided> sinceRaided(long inode, List<Access> accesses) {
    return files
        .find(inode)
        .filter(file -> LOWERED.contains(file.state()))
        .map(
            file ->
                new Raided(
                    inode,
                    accesses.stream()
                        .filter(access -> access.at() >= file.progress().since().toEpochMilli())
                        .map(Access::client)
                        .toList()))
        .filter(file -> !file.readers().isEmpty());
  }

  private void locate(Raided file) {
    Instant now = clock.instant();
    if (!now.isBefore(sampleEnds) || sampleEnds.isAfter(now.plus(MINUTE))) {
      sampleEnds = now.plus(MINUTE);
      sampled = 0;
    }
    if (sampled >= SAMPLE) {
      return;
    }
    sampled++;
    try {
      OptionalDouble offNode = locality.offNode(file.inode(), file.readers());
      if (offNode.isPresent()) {
        costs.add(cost -> cost.plusLocated(file.readers().size(), offNode.getAsDouble()));
      }
    } catch (IOException e) {
      sampled = SAMPLE; // a failure counts as a look, so that accesses do not wait for it each time
      LOG.atDebug()
          .addKeyValue("inode", file.inode())
          .setCause(e)
          .log("A raided file is not located");
    }
  }
}
