// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.place;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.place.PlacementSimulation.Figures;
import io.hdfsraid.bench.place.PlacementSimulation.Keeper;
import io.hdfsraid.bench.place.PlacementSimulation.Stripes;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.raidshell.command.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench place}. */
@Command(
    name = "place",
    description = {
      "Counts what crosses racks when files are raided with rs-10-4, on a simulated cluster: the"
          + " blocks that a stripe is read from other racks, and the units that are moved when the"
          + " replication has been lowered. No bytes are read or written.",
      "The peer is what the local engine does: stripes composed for few moves, and a reader in one"
          + " place. Takes some minutes, with --quick seconds."
    },
    sortOptions = false)
public final class PlaceBenchCommand implements Callable<Integer> {
  private static final Row.Unit BLOCKS = new Row.Unit("blocks/stripe", 1);
  private static final Row.Unit PERCENT = new Row.Unit("%", 1);
  private static final int ENOUGH_BLOCKS = 2_000;
  private static final int ENOUGH_QUICKLY = 1_000;
  private static final int USUAL_ROUNDS = 3;
  private static final int QUICK_ROUNDS = 1;
  private static final int SIZE_WITH_GOAL = 200;
  private static final double GOAL = 0.5;

  @Option(names = "--racks", paramLabel = "N", defaultValue = "20", description = "Default: 20")
  private int racks;

  @Option(
      names = "--nodes-per-rack",
      paramLabel = "N",
      defaultValue = "50",
      description = "Default: 50")
  private int nodesPerRack;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      split = ",",
      description = "Sizes of files. Default: 10,50,200,1000,10000, with --quick 10,200")
  private List<Integer> sizes;

  @Option(
      names = "--kept",
      paramLabel = "BY",
      defaultValue = "FREE_SPACE",
      description =
          "How the NameNode chooses the replica that stays: ${COMPLETION-CANDIDATES}. Default:"
              + " FREE_SPACE, on nodes that are 65 +- 3 %% full")
  private Keeper keeper;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    if (racks < 2 || nodesPerRack < 2 || racks * nodesPerRack < PlacementSimulation.UNITS) {
      throw options.wrong(
          "--racks and --nodes-per-rack are 2 or more, with %d nodes or more together, but got %d and %d"
              .formatted(PlacementSimulation.UNITS, racks, nodesPerRack));
    }
    List<Integer> all =
        options.or(sizes, List.of(10, 50, 200, 1_000, 10_000), List.of(10, SIZE_WITH_GOAL));
    if (all.stream().anyMatch(size -> size < 1 || size > 1_000_000)) {
      throw options.wrong("--blocks is 1 to 1000000, but got " + all);
    }
    int rounds = options.rounds(options.quick() ? QUICK_ROUNDS : USUAL_ROUNDS);
    return options.run("place", () -> measure(all, rounds));
  }

  private BenchOptions.Measured measure(List<Integer> all, int rounds) {
    List<Row> rows = new ArrayList<>();
    long steps = (long) all.size() * rounds * Stripes.values().length;
    try (Progress progress = options.progress("Simulated", steps)) {
      for (int size : all) {
        rows.addAll(rows(size, rounds, progress));
      }
    }
    return new BenchOptions.Measured(
        List.of(
            "%d racks of %d nodes, rs-10-4, replicas as HDFS places them, %d rounds with different seeds."
                .formatted(racks, nodesPerRack, rounds),
            "Today: stripes composed for few moves, read from one rack. Best rack: the same stripes, each read from"
                + " the rack with most of its blocks. Near: stripes composed to be read in one rack."),
        rows);
  }

  private List<Row> rows(int size, int rounds, Progress progress) {
    int enough = options.quick() ? ENOUGH_QUICKLY : ENOUGH_BLOCKS;
    int files = Math.max(1, enough / size);
    List<Figures> inOrder = new ArrayList<>();
    List<Figures> composed = new ArrayList<>();
    List<Figures> near = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      PlacementSimulation simulation =
          new PlacementSimulation(racks * nodesPerRack, racks, files, size, round);
      inOrder.add(step(simulation, Stripes.IN_ORDER, progress));
      composed.add(step(simulation, Stripes.COMPOSED, progress));
      near.add(step(simulation, Stripes.NEAR, progress));
    }
    Samples today = samples(composed, one -> one.farFromOnePlace() + one.movesPerStripe());
    String of = ", files of %d blocks: ".formatted(size);
    List<Row> rows = new ArrayList<>();
    rows.add(
        beside(
            "in order" + of, inOrder, one -> one.farFromOnePlace() + one.movesPerStripe(), today));
    rows.add(Row.alone("today" + of + "crosses racks or moves", BLOCKS, today));
    rows.add(
        beside(
            "best rack" + of,
            composed,
            one -> one.farFromBestRack() + one.movesPerStripe(),
            today));
    Row sum = beside("near" + of, near, one -> one.farFromBestRack() + one.movesPerStripe(), today);
    rows.add(size >= SIZE_WITH_GOAL ? sum.withGoalAtMost(GOAL) : sum);
    rows.add(alone("today" + of + "moves", composed, Figures::movesPerStripe, BLOCKS));
    rows.add(alone("near" + of + "read across racks", near, Figures::farFromBestRack, BLOCKS));
    rows.add(alone("near" + of + "moves", near, Figures::movesPerStripe, BLOCKS));
    rows.add(
        alone(
            "today" + of + "tolerate a rack before moves",
            composed,
            one -> 100 * one.tolerateRack(),
            PERCENT));
    rows.add(
        alone(
            "near" + of + "tolerate a rack before moves",
            near,
            one -> 100 * one.tolerateRack(),
            PERCENT));
    rows.add(
        alone(
            "near" + of + "manifest bytes per unit",
            near,
            Figures::manifestBytesPerUnit,
            new Row.Unit("B", 1)));
    return rows;
  }

  private Figures step(PlacementSimulation simulation, Stripes how, Progress progress) {
    Figures figures = simulation.run(keeper, how);
    progress.step(1);
    return figures;
  }

  private static Row alone(
      String name, List<Figures> rounds, ToDoubleFunction<Figures> value, Row.Unit unit) {
    return Row.alone(name, unit, samples(rounds, value));
  }

  private static Row beside(
      String name, List<Figures> rounds, ToDoubleFunction<Figures> value, Samples today) {
    return Row.beside(
        name + "crosses racks or moves", BLOCKS, samples(rounds, value), "today", today);
  }

  private static Samples samples(List<Figures> rounds, ToDoubleFunction<Figures> value) {
    return Samples.of(rounds.stream().mapToDouble(value).toArray());
  }
}
