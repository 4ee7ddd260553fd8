// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.algebra.Span;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the cheapest way to rebuild some chunks of a stripe:
 *
 * <ul>
 *   <li>solve for everything from the cheapest independent chunks, as in any MDS code;
 *   <li>where a unit is one chunk, peel: use the {@linkplain LocalCheck local checks} as long as
 *       one can rebuild something, best value first, then solve for what is left, preferring what
 *       is read already; and if the code is not MDS, do so with the {@linkplain CheapestHelpers
 *       cheapest helpers} only;
 *   <li>where a unit is cut into chunks, solve within a few local checks {@linkplain CheckUnions
 *       taken together}.
 * </ul>
 *
 * One planner plans one repair. Not safe for concurrent use.
 */
final class RecipePlanner {
  private final LinearCode code;
  private final List<Integer> wanted;
  private final List<Integer> cheapestFirst;
  private final double[] cost;

  private RecipePlanner(
      LinearCode code, List<Integer> wanted, UnitSet available, ReadCost readCost) {
    this.code = code;
    this.wanted = wanted;
    this.cost = new double[code.chunks()];
    Arrays.fill(cost, Double.POSITIVE_INFINITY);
    for (int unit : available.toArray()) {
      Arrays.fill(
          cost, unit * code.subUnits(), (unit + 1) * code.subUnits(), readCost.perByte(unit));
    }
    // A stable sort: at the same price in ascending order, so data units come before parity.
    this.cheapestFirst =
        chunksOf(available).sorted(Comparator.comparingDouble(chunk -> cost[chunk])).toList();
  }

  /**
   * Returns the weights of each wanted chunk, in ascending order: one weight for every chunk of the
   * row, 0 for those that are not available. Empty if the available units do not determine all
   * wanted chunks.
   *
   * <p>The result is the cheapest if a unit is one chunk. For sub-packetised codes it is the
   * cheapest of those tried, which is not proven to be the cheapest of all if several units are
   * lost.
   *
   * @param wanted chunks of units that are not available
   */
  static Optional<SortedMap<Integer, int[]>> cheapest(
      LinearCode code, List<Integer> wanted, UnitSet available, ReadCost readCost) {
    RecipePlanner planner = new RecipePlanner(code, wanted, available, readCost);
    SortedMap<Integer, int[]> solved = planner.solve(planner.cheapestFirst, new TreeMap<>());
    if (solved.size() < wanted.size()) {
      return Optional.empty();
    }
    if (code.checks().isEmpty()) {
      return Optional.of(solved);
    }
    if (code.subUnits() > 1) {
      return Optional.of(planner.withinChecks(solved));
    }
    SortedMap<Integer, int[]> peeled = planner.peelThenSolve();
    SortedMap<Integer, int[]> other = solved;
    if (!code.mds() && planner.cost(peeled) > planner.leastCost()) {
      UnitSet lost = UnitSet.of(wanted.stream().mapToInt(chunk -> chunk / code.subUnits()));
      UnitSet helpers = CheapestHelpers.find(code, lost, available, planner::unitCost);
      other = new RecipePlanner(code, wanted, helpers, readCost).peelThenSolve();
    }
    // At the same price the peeled way, which has the shorter sums.
    return Optional.of(planner.cost(other) < planner.cost(peeled) ? other : peeled);
  }

  /** The given solution, or a cheaper one that reads only from some checks. */
  private SortedMap<Integer, int[]> withinChecks(SortedMap<Integer, int[]> solution) {
    SortedMap<Integer, int[]> best = solution;
    for (CheckUnions.Union union : CheckUnions.promisingFirst(code.checks(), wanted, cost)) {
      if (union.leastCost() >= cost(best)) {
        break;
      }
      SortedMap<Integer, int[]> within = solve(cheapestOf(union.chunks()), new TreeMap<>());
      if (within.size() == wanted.size() && cost(within) < cost(best)) {
        best = within;
      }
    }
    return best;
  }

  /** At the same price chunks of units that have more of them first: that takes fewer helpers. */
  private List<Integer> cheapestOf(BitSet chunks) {
    int[] chunksByUnit = new int[code.shape().units()];
    chunks.stream().forEach(chunk -> chunksByUnit[chunk / code.subUnits()]++);
    return cheapestFirst.stream()
        .filter(chunks::get)
        .sorted(
            Comparator.comparingDouble((Integer chunk) -> cost[chunk])
                .thenComparingInt(chunk -> -chunksByUnit[chunk / code.subUnits()]))
        .toList();
  }

  /**
   * No recipe can cost less, as wanted chunks and helpers together hold a parity check of the code.
   */
  private double leastCost() {
    int lightest = code.checks().stream().mapToInt(check -> check.chunks().size()).min().orElse(0);
    return cheapestFirst.stream()
        .limit(Math.max(0, lightest - wanted.size()))
        .mapToDouble(chunk -> cost[chunk])
        .sum();
  }

  private double unitCost(int unit) {
    return cost[unit * code.subUnits()];
  }

  private SortedMap<Integer, int[]> peelThenSolve() {
    SortedMap<Integer, int[]> peeled = peel();
    BitSet read = chunksRead(peeled);
    return solve(
        Stream.concat(
                cheapestFirst.stream().filter(read::get),
                cheapestFirst.stream().filter(chunk -> !read.get(chunk)))
            .toList(),
        peeled);
  }

  /** Adds to {@code solved} those wanted chunks that the given ones determine, as their sums. */
  private SortedMap<Integer, int[]> solve(List<Integer> helpers, SortedMap<Integer, int[]> solved) {
    Basis basis = new Basis(helpers);
    for (int chunk : wanted) {
      if (!solved.containsKey(chunk)) {
        basis.express(chunk).ifPresent(weights -> solved.put(chunk, weights));
      }
    }
    return solved;
  }

  /** The wanted chunks that local checks can rebuild, one after the other. */
  private SortedMap<Integer, int[]> peel() {
    SortedMap<Integer, int[]> rebuilt = new TreeMap<>();
    Optional<Peeling> next = bestPeeling(rebuilt);
    while (next.isPresent()) {
      rebuilt.putAll(next.get().rebuilt);
      next = bestPeeling(rebuilt);
    }
    // Chunks that are not available for other reasons may have been rebuilt on the way.
    rebuilt.keySet().retainAll(wanted);
    return rebuilt;
  }

  private Optional<Peeling> bestPeeling(SortedMap<Integer, int[]> rebuilt) {
    if (rebuilt.keySet().containsAll(wanted)) {
      return Optional.empty();
    }
    BitSet read = chunksRead(rebuilt);
    return code.checks().stream()
        .map(check -> peeling(check, rebuilt, read))
        .filter(Objects::nonNull)
        .min(
            Comparator.comparing((Peeling peeling) -> peeling.ofWanted == 0)
                .thenComparingDouble(
                    peeling -> peeling.cost / Math.max(1, peeling.rebuilt.size())));
  }

  /** Returns what the check can rebuild now, or null if it can rebuild nothing. */
  private Peeling peeling(LocalCheck check, SortedMap<Integer, int[]> rebuilt, BitSet read) {
    List<Integer> missing =
        check.chunks().stream()
            .filter(chunk -> !isAvailable(chunk) && !rebuilt.containsKey(chunk))
            .toList();
    if (missing.isEmpty() || missing.size() > check.redundancy()) {
      return null;
    }
    List<Integer> helpers =
        check.chunks().stream()
            .filter(chunk -> !missing.contains(chunk))
            .sorted(
                Comparator.comparingDouble(
                    chunk -> rebuilt.containsKey(chunk) || read.get(chunk) ? 0 : cost[chunk]))
            .limit(check.chunks().size() - check.redundancy())
            .toList();
    Basis basis = new Basis(helpers);
    SortedMap<Integer, int[]> result = new TreeMap<>();
    for (int chunk : missing) {
      Optional<int[]> weights = basis.express(chunk);
      if (weights.isEmpty()) {
        return null;
      }
      result.put(chunk, inAvailable(weights.get(), rebuilt));
    }
    BitSet more = chunksRead(result);
    more.andNot(read);
    return new Peeling(
        result,
        (int) missing.stream().filter(wanted::contains).count(),
        more.stream().mapToDouble(chunk -> cost[chunk]).sum());
  }

  /** Replaces chunks that were rebuilt by what they were rebuilt from. */
  private int[] inAvailable(int[] weights, SortedMap<Integer, int[]> rebuilt) {
    int[] replaced = weights.clone();
    rebuilt.forEach(
        (chunk, sum) -> {
          replaced[chunk] = 0;
          Gf256.addMultiple(replaced, weights[chunk], sum);
        });
    return replaced;
  }

  private double cost(SortedMap<Integer, int[]> solution) {
    return chunksRead(solution).stream().mapToDouble(chunk -> cost[chunk]).sum();
  }

  private static BitSet chunksRead(SortedMap<Integer, int[]> solution) {
    BitSet read = new BitSet();
    for (int[] weights : solution.values()) {
      for (int chunk = 0; chunk < weights.length; chunk++) {
        if (weights[chunk] != 0) {
          read.set(chunk);
        }
      }
    }
    return read;
  }

  private boolean isAvailable(int chunk) {
    return cost[chunk] < Double.POSITIVE_INFINITY;
  }

  private Stream<Integer> chunksOf(UnitSet units) {
    return units.stream()
        .boxed()
        .flatMap(
            unit ->
                Stream.iterate(unit * code.subUnits(), chunk -> chunk + 1).limit(code.subUnits()));
  }

  /**
   * @param rebuilt the weights of each rebuilt chunk over the available ones
   * @param ofWanted how many of them are wanted, and not only unavailable
   * @param cost of the chunks that were not read before
   */
  private record Peeling(SortedMap<Integer, int[]> rebuilt, int ofWanted, double cost) {}

  /** Those of the given chunks that are independent of the ones before. */
  private final class Basis {
    private final Span span = new Span(code.dataChunks());
    private final List<Integer> chunks = new ArrayList<>();

    Basis(List<Integer> candidates) {
      for (int chunk : candidates) {
        if (span.rank() == code.dataChunks()) {
          break;
        }
        if (span.add(code.generator().row(chunk))) {
          chunks.add(chunk);
        }
      }
    }

    /** The given chunk as weights of all chunks of the row; only those of this basis have any. */
    Optional<int[]> express(int chunk) {
      return span.express(code.generator().row(chunk))
          .map(
              weights -> {
                int[] all = new int[code.chunks()];
                for (int i = 0; i < weights.length; i++) {
                  all[chunks.get(i)] = weights[i];
                }
                return all;
              });
    }
  }
}
