package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.ReheatCosts;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts reads of raided files, and finds out of a sample how many went to another machine: of so
 * few files in a minute that the NameNode does not notice, whatever is read.
 */
final class RaidedReads {
  private static final Logger LOG = LoggerFactory.getLogger(RaidedReads.class);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Files that are located in a minute. */
  static final int SAMPLE = 10;

  private final KnownFiles files;
  private final ReheatCosts costs;
  private final ReadLocality locality;
  private final Clock clock;
  private Instant sampleEnds = Instant.MIN;
  private int sampled;

  RaidedReads(Catalog catalog, ReadLocality locality, Clock clock) {
    this.files = catalog.files();
    this.costs = catalog.reheatCosts();
    this.locality = locality;
    this.clock = clock;
  }

  /**
   * Counts those of raided files.
   *
   * @param readers IP addresses of who opened a file, one for each time, by its number
   */
  void count(Map<Long, List<String>> readers) {
    long opens = 0;
    for (Map.Entry<Long, List<String>> file : readers.entrySet()) {
      if (isRaided(file.getKey())) {
        opens += file.getValue().size();
        locate(file.getKey(), file.getValue());
      }
    }
    if (opens > 0) {
      long times = opens;
      costs.add(cost -> cost.plusOpens(times));
    }
  }

  private boolean isRaided(long inode) {
    return files.find(inode).filter(file -> file.parity().isPresent()).isPresent();
  }

  private void locate(long inode, List<String> readers) {
    Instant now = clock.instant();
    if (!now.isBefore(sampleEnds)) {
      sampleEnds = now.plus(MINUTE);
      sampled = 0;
    }
    if (sampled >= SAMPLE) {
      return;
    }
    sampled++;
    try {
      OptionalDouble offNode = locality.offNode(inode, readers);
      if (offNode.isPresent()) {
        costs.add(cost -> cost.plusLocated(readers.size(), offNode.getAsDouble()));
      }
    } catch (IOException e) {
      sampled = SAMPLE; // whoever waits for accesses does not wait for that again and again
      LOG.atDebug().addKeyValue("inode", inode).setCause(e).log("A raided file is not located");
    }
  }
}
