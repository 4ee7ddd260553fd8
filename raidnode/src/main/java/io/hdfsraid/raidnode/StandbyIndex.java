// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.health.NamespaceWatch;
import io.hdfsraid.raidnode.reheat.RaidedReads;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.upkeep.ReportedChanges;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.source.SourceState;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index of a daemon that stands by true to the namespace, so that it need not read an
 * image first when it takes over. It only looks: its connection to HDFS can change nothing. It has
 * the catalog open, and must be closed before the daemon opens that itself.
 *
 * <p>It notes which raided files users have changed, as far as its catalog knows these: the active
 * daemon may die before it has looked at them. It also notes how far the namespace has come, so
 * that it is noticed by {@link NamespaceWatch#compare} if that is set back.
 */
final class StandbyIndex implements AutoCloseable {
  private static final String SET_BACK =
      "the namespace was set back to an earlier state; it is read anew when this daemon takes over";
  private static final Logger LOG = LoggerFactory.getLogger(StandbyIndex.class);
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(5);
  private static final Duration BETWEEN_CHECKS = Duration.ofMinutes(1);
  private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(30);

  /** An index that has not been at the end of the edit log for so long is not current. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private static final String IMAGE = "image";

  /** The sources that the index is made of; the others say how files are used. */
  private static final Set<String> OF_THE_NAMESPACE = Set.of(IMAGE, EditLogFollower.SOURCE);

  private final Settings settings;
  private final HdfsWiring.Connector hdfs;
  private final Clock clock;
  private final Thread follower = new Thread(this::run, "standby-index");
  private volatile boolean closed;
  private volatile Optional<String> problem = Optional.empty();

  /** The states of the sources after the last step; empty before the first. */
  private volatile List<SourceState> sources = List.of();

  private StandbyIndex(Settings settings, HdfsWiring.Connector hdfs, Clock clock) {
    this.settings = settings;
    this.hdfs = hdfs;
    this.clock = clock;
  }

  /**
   * Begins to follow the namespace.
   *
   * @param hdfs connects to look only
   */
  static StandbyIndex start(Settings settings, HdfsWiring.Connector hdfs, Clock clock) {
    StandbyIndex index = new StandbyIndex(settings, hdfs, clock);
    index.follower.setDaemon(true);
    index.follower.setUncaughtExceptionHandler((thread, error) -> index.endedBy(error));
    index.follower.start();
    return index;
  }

  private void run() {
    try {
      while (!closed) {
        follow();
        if (!closed) { // or an interrupt that ended it would have no effect on the pause
          TimeUnit.MILLISECONDS.sleep(AFTER_A_FAILURE.toMillis());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The index is not followed any more", e);
    }
  }

  /** Follows until something fails. */
  private void follow() throws InterruptedException {
    try (Opened opened = new Opened()) {
      Catalog catalog = opened.add(Catalog.open(settings.catalogDirectory(), clock));
      HdfsCluster cluster =
          opened.add(
              hdfs.connect(
                  new ParitySettings(
                      settings.node().hdfs().root(), ParitySettings.AccessRule.INHERIT),
                  clock));
      catalog.bindTo(cluster.access().blockPool());
      catalog.namespace().reportChangesTo(new ReportedChanges(catalog, clock));
      Recency recency =
          new Recency(
              catalog.namespace(),
              catalog.notes(),
              new RaidedReads(catalog, cluster.readLocality(), clock)::count,
              cluster.sources(),
              HdfsWiring.recency(settings, cluster),
              clock);
      follow(cluster, recency, new NamespaceWatch(catalog, clock));
    } catch (IOException | RuntimeException e) {
      if (closed) { // one of many exceptions that an interrupt may end in
        LOG.debug("The index was interrupted", e);
      } else {
        failed(e);
      }
    }
  }

  private void follow(HdfsCluster cluster, Recency recency, NamespaceWatch namespace)
      throws IOException, InterruptedException {
    long steps = BETWEEN_CHECKS.dividedBy(BETWEEN_STEPS);
    for (long step = 0; !closed; step++) {
      if (isSetBack(cluster, namespace)) {
        problem = Optional.of(SET_BACK); // it would be another history that is followed
      } else {
        follow(recency, step % steps == 0);
      }
      TimeUnit.MILLISECONDS.sleep(BETWEEN_STEPS.toMillis());
    }
  }

  private void follow(Recency recency, boolean watches) throws IOException, InterruptedException {
    recency.follow();
    if (watches) {
      recency.watch();
    }
    sources = recency.sources();
    problem =
        sources.stream()
            .filter(source -> OF_THE_NAMESPACE.contains(source.name()))
            .flatMap(source -> source.problem().stream())
            .findFirst();
  }

  private static boolean isSetBack(HdfsCluster cluster, NamespaceWatch namespace) {
    try {
      return cluster.terms().filter(namespace::see).isPresent();
    } catch (IOException e) {
      LOG.debug("The owner file could not be looked at", e);
      return false;
    }
  }

  /** Notes that nothing is followed any more, say because memory is short. */
  private void endedBy(Throwable error) {
    LOG.error("The index does not follow the namespace any more", error);
    problem = Optional.of(Failures.words(error));
  }

  private void failed(Exception failure) {
    // That of the database says what to do.
    String words =
        failure instanceof DatabaseException ? failure.getMessage() : Failures.words(failure);
    if (problem.filter(words::equals).isEmpty()) {
      boolean isKnown = failure instanceof DatabaseException || failure instanceof IOException;
      LOG.atWarn()
          .setCause(isKnown ? null : failure)
          .log(
              "The index does not follow the namespace while this daemon stands by; it is tried again: {}",
              words);
    }
    problem = Optional.of(words);
  }

  /** Returns how well the index follows. May be called from any thread. */
  DaemonReport.Index report() {
    return report(sources, problem, clock.instant());
  }

  /**
   * Returns how well an index follows.
   *
   * @param sources their states, which may be older than now
   */
  static DaemonReport.Index report(
      List<SourceState> sources, Optional<String> problem, Instant now) {
    Optional<SourceState> edits = named(EditLogFollower.SOURCE, sources);
    Optional<Instant> heard = edits.flatMap(SourceState::knownUntil);
    return new DaemonReport.Index(
        named(IMAGE, sources).flatMap(SourceState::knownUntil),
        edits.map(SourceState::position).filter(at -> !at.isEmpty()).map(Long::valueOf),
        heard,
        heard.map(at -> at.isAfter(now) ? Duration.ZERO : Duration.between(at, now)),
        problem.or(() -> lag(heard, now)).orElse(""));
  }

  private static Optional<String> lag(Optional<Instant> heard, Instant now) {
    if (heard.isEmpty()) {
      return Optional.of("the edit log has not been read to its end yet");
    }
    return heard.get().plus(PATIENCE).isBefore(now)
        ? Optional.of("it knows the edit log up to %s only".formatted(heard.get()))
        : Optional.empty();
  }

  private static Optional<SourceState> named(String name, List<SourceState> sources) {
    return sources.stream().filter(source -> source.name().equals(name)).findFirst();
  }

  /**
   * Ends what is going on, and gives the catalog free. Waits as long as that takes: without the
   * catalog the daemon cannot begin.
   */
  @Override
  public void close() {
    closed = true;
    follower.interrupt();
    try {
      follower.join(BETWEEN_CHECKS.toMillis());
      while (follower.isAlive()) {
        LOG.warn("The daemon waits for the end of what its index reads");
        follower.join(BETWEEN_CHECKS.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
