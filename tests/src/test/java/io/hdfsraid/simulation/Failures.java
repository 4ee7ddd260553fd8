// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.simulation.Truth.Stand;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What goes wrong, and how often. Node failures as Ford et al. saw them ("Availability in Globally
 * Distributed Storage Systems", OSDI 2010): a node goes away every 4.3 months, nine times in ten
 * for less than 15 minutes, and 37 % of failures come in bursts. What is rarer in life (a rack in
 * 10 years, a wrong block in a million) comes far more often here, for it is what is to be seen.
 */
final class Failures {
  private static final double DAYS_BETWEEN_FAILURES_OF_A_NODE = 129;
  private static final double IN_BURSTS = 0.37;
  private static final double SHORT = 0.9;
  private static final double FOR_EVER = 0.03;

  /** How often it is set in a turn of the daemon while a repair waits for a time. */
  private static final double WHILE_ONE_WAITS = 0.3;

  private static final Duration LEAST_WRONG = Duration.ofMinutes(10);
  private static final Duration MOST_WRONG = Duration.ofDays(365);

  /** As HDFS does by default. */
  private static final Duration UNTIL_DECLARED_DEAD = Duration.ofSeconds(630);

  private final Years years;
  private final Random random;

  /** Of its own, so that what is done to the clock changes nothing else that happens. */
  private final Random clockRandom;

  private final InMemoryCluster cluster;

  Failures(Years years, Random random, Random clockRandom) {
    this.years = years;
    this.random = random;
    this.clockRandom = clockRandom;
    this.cluster = years.cluster();
  }

  void begin() {
    again("nodes fail", Years.NODES * 365 / DAYS_BETWEEN_FAILURES_OF_A_NODE, this::nodesFail);
    again("a rack goes out", 3, this::rackGoesOut);
    again("a replica rots", 60, this::replicaRots);
    again("a replica vanishes", 40, this::replicaVanishes);
    again("the balancer moves a replica", 30, this::balancerMoves);
    again("users read", 60, this::usersRead);
    again("everything is read", 24, this::readEverything);
    again("the daemon is restarted", 6, years::restartDaemon);
    again("the daemon is halted", 30, () -> years.haltAfter(1 + random.nextInt(12)));
    again("the notebook is lost", 3, years::restartDaemonWithoutItsNotebook);
    again("a file is written anew", 8, this::fileIsWrittenAnew);
    again("what is gone is deleted", 12, this::deleteWhatIsGone);
    again("the clock is set wrong", 6, this::clockIsSetWrong, clockRandom);
  }

  private void again(String what, double timesAYear, Years.Action action) {
    again(what, timesAYear, action, random);
  }

  /** Happens so many times a year, at any time. */
  private void again(String what, double timesAYear, Years.Action action, Random times) {
    Duration until =
        Duration.ofSeconds((long) (-Math.log(1 - times.nextDouble()) * 365 * 86_400 / timesAYear));
    years.after(
        until,
        what,
        () -> {
          again(what, timesAYear, action, times);
          action.run();
        });
  }

  /** A repair waits for a time. Repairs seldom do, and then the clock matters most. */
  void oneWaits() throws IOException {
    if (clockRandom.nextDouble() < WHILE_ONE_WAITS) {
      clockIsSetWrong();
    }
  }

  /** By ten minutes up to a year, forward or back. Sooner or later somebody may notice. */
  private void clockIsSetWrong() throws IOException {
    double orders = Math.log((double) MOST_WRONG.toSeconds() / LEAST_WRONG.toSeconds());
    long seconds = (long) (LEAST_WRONG.toSeconds() * Math.exp(clockRandom.nextDouble() * orders));
    Duration by = Duration.ofSeconds(clockRandom.nextBoolean() ? seconds : -seconds);
    switch (clockRandom.nextInt(4)) {
      case 0 -> years.setClock(by);
      case 1 -> years.setClockAtWork(1 + clockRandom.nextInt(60), by);
      default -> years.setClockWithoutDaemon(by);
    }
    if (clockRandom.nextBoolean()) {
      Duration wrongFor = Duration.ofMinutes(1 + clockRandom.nextInt(3 * 24 * 60));
      years.after(wrongFor, "the clock is set right", years::setClockRight);
    }
  }

  private void nodesFail() {
    int nodes = random.nextDouble() < IN_BURSTS ? 2 + random.nextInt(3) : 1;
    for (int i = 0; i < nodes; i++) {
      years.after(
          Duration.ofSeconds(i == 0 ? 0 : random.nextInt(120)), "a node fails", this::nodeFails);
    }
  }

  private void nodeFails() {
    DataNode node = cluster.node(random.nextInt(Years.NODES));
    if (years.isAway(node)) {
      return;
    }
    double kind = random.nextDouble();
    if (kind < SHORT) {
      goesAway(node, Duration.ofSeconds(20 + random.nextInt(14 * 60)));
      years.tally().count("node away for a moment");
    } else if (kind < 1 - FOR_EVER) {
      goesAway(node, Duration.ofMinutes(15 + random.nextInt(24 * 60)));
      years.tally().count("node away for long");
    } else {
      years.tally().count("node gone for ever");
      Duration until = Duration.ofHours(1 + random.nextInt(72));
      years.silence(node);
      emptyDisk(node);
      declaredDead(node);
      years.after(until, "an empty node takes the place of " + node, () -> years.comeBack(node));
    }
  }

  private void goesAway(DataNode node, Duration time) {
    years.silence(node);
    if (time.compareTo(UNTIL_DECLARED_DEAD) > 0) {
      declaredDead(node);
    }
    years.after(time, "back comes " + node, () -> years.comeBack(node));
  }

  private void declaredDead(DataNode node) {
    years.after(UNTIL_DECLARED_DEAD, "declared dead is " + node, () -> years.declareDead(node));
  }

  private void emptyDisk(DataNode node) {
    for (Block block : blocks()) {
      if (cluster.holders(block.id()).contains(node)) {
        cluster.deleteReplica(block.id(), node);
      }
    }
  }

  private void rackGoesOut() {
    String rack = cluster.node(random.nextInt(Years.NODES)).rack();
    Duration time = Duration.ofMinutes(10 + random.nextInt(25 * 60));
    years.tally().count("rack out");
    for (DataNode node : cluster.allNodes()) {
      if (node.rack().equals(rack) && !years.isAway(node)) {
        goesAway(node, time);
      }
    }
  }

  private void replicaRots() {
    pick()
        .ifPresent(
            replica -> {
              years.tally().count("rot");
              cluster.corrupt(replica.block().id(), replica.node());
            });
  }

  private void replicaVanishes() {
    pick()
        .ifPresent(
            replica -> {
              years.tally().count("vanished");
              cluster.deleteReplica(replica.block().id(), replica.node());
            });
  }

  private void balancerMoves() {
    pick()
        .ifPresent(
            replica -> {
              DataNode to = cluster.node(random.nextInt(Years.NODES));
              if (!years.isAway(to)
                  && !years.isAway(replica.node())
                  && !cluster.holders(replica.block().id()).contains(to)) {
                cluster.move(replica.block().id(), replica.node(), to);
              }
            });
  }

  private record Picked(Block block, DataNode node) {}

  private Optional<Picked> pick() {
    List<Block> blocks = blocks();
    Block block = blocks.get(random.nextInt(blocks.size()));
    List<DataNode> holders = new ArrayList<>(cluster.holders(block.id()));
    return holders.isEmpty() || block.length() == 0
        ? Optional.empty()
        : Optional.of(new Picked(block, holders.get(random.nextInt(holders.size()))));
  }

  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (String path : cluster.paths()) {
      blocks.addAll(cluster.file(path).orElseThrow().contents());
    }
    return blocks;
  }

  /** Their clients report the rot they meet. */
  private void usersRead() {
    List<String> paths = years.paths();
    read(paths.get(random.nextInt(paths.size())));
  }

  /** As a scrub does. */
  void readEverything() {
    cluster.paths().forEach(this::read);
  }

  private void read(String path) {
    for (LocatedBlock block : cluster.file(path).orElseThrow().blocks()) {
      long id = block.block().id();
      for (DataNode node : cluster.holders(id)) {
        if (!years.isAway(node) && !cluster.isSound(id, node)) {
          cluster.report(id, node);
        }
      }
    }
  }

  private void fileIsWrittenAnew() throws IOException {
    List<String> paths = years.paths();
    years.delete(paths.get(random.nextInt(paths.size())));
    years.createAndRaid();
  }

  /** Users delete what can never be read again. */
  void deleteWhatIsGone() throws IOException {
    Set<Long> gone = new HashSet<>();
    for (Stand stand : years.stands()) {
      for (int unit : stand.goneForGood().toArray()) {
        if (stand.blocks().containsKey(unit)) {
          gone.add(stand.blocks().get(unit).id());
        }
      }
    }
    for (String path : years.paths()) {
      if (cluster.file(path).orElseThrow().contents().stream()
          .anyMatch(block -> gone.contains(block.id()))) {
        years.delete(path);
      }
    }
  }
}
