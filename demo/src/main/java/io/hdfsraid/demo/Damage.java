// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.demo.DemoCluster.ProtectedFiles;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The damage: some stopped DataNodes, and lost units of stripes. A third of the stripes loses one
 * unit, as most losses do. The others lose, in turn, as many units as their code is certain to
 * tolerate, a parity unit that nobody reads, and one unit more than the stopped nodes take.
 *
 * @param stopped DataNodes by index
 */
record Damage(ErasureCodec codec, NavigableSet<Integer> stopped, List<Loss> losses) {
  private static final int MOST_STOPPED = 2;
  private static final int ENOUGH_SINGLES = 2;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The way in which a unit is lost. */
  enum Way {
    NODE_STOPPED("on stopped DataNodes"),
    BYTES_FLIPPED("bytes flipped on disk"),
    FILES_DELETED("files deleted from disk");

    private final String words;

    Way(String words) {
      this.words = words;
    }
  }

  /**
   * A lost unit.
   *
   * @param node index of the DataNode that held its only replica
   */
  record Loss(String path, LocatedStripe stripe, StripeUnit unit, Way way, int node) {
    long block() {
      return unit.located().orElseThrow().block().id();
    }

    boolean isParity() {
      return stripe.codec().shape().isParity(unit.unit());
    }
  }

  /** Plans the damage; the seed decides which of the possible ones it is. */
  static Damage plan(List<ProtectedFiles> files, ErasureCodec codec, EmbeddedHdfs hdfs, long seed) {
    return new Planner(codec, hdfs, new Random(seed), new ArrayList<>()).plan(files);
  }

  private record Planner(ErasureCodec codec, EmbeddedHdfs hdfs, Random random, List<Loss> losses) {
    Damage plan(List<ProtectedFiles> files) {
      Map<LocatedStripe, ProtectedFiles> stripes = new LinkedHashMap<>();
      files.forEach(file -> file.stripes().forEach(stripe -> stripes.put(stripe, file)));
      NavigableSet<Integer> stopped = nodesToStop(stripes.keySet());
      Set<LocatedStripe> single =
          stripes.keySet().stream()
              .filter(stripe -> unitsOn(stopped, stripe).size() <= 1)
              .sorted(Comparator.comparing(stripe -> !RepairForecast.isFull(stripe)))
              .limit((stripes.size() + 2) / 3)
              .collect(Collectors.toSet());
      int turn = 0;
      int others = 0;
      for (Map.Entry<LocatedStripe, ProtectedFiles> each : stripes.entrySet()) {
        LocatedStripe stripe = each.getKey();
        UnitSet onStopped = unitsOn(stopped, stripe);
        Way first = turn++ % 2 == 0 ? Way.BYTES_FLIPPED : Way.FILES_DELETED;
        int kind = single.contains(stripe) ? -1 : others++ % 3;
        List<StripeUnit> left = new ArrayList<>(live(stripe));
        left.removeIf(unit -> onStopped.contains(unit.unit()));
        live(stripe).stream()
            .filter(unit -> onStopped.contains(unit.unit()))
            .forEach(unit -> lose(each.getValue(), stripe, unit, Way.NODE_STOPPED));
        if (kind == 1) {
          StripeUnit last = left.get(left.size() - 1);
          if (codec.shape().isParity(last.unit()) && mayLose(onStopped, last)) {
            lose(each.getValue(), stripe, last, Way.FILES_DELETED);
          }
        } else {
          Collections.shuffle(left, random);
          int most = codec.furtherLosses(UnitSet.none());
          int wanted = kind < 0 ? 1 : kind == 0 ? most : onStopped.size() + 1;
          take(wanted, first, each.getValue(), stripe, onStopped, left);
        }
      }
      return new Damage(codec, stopped, List.copyOf(losses));
    }

    /** Takes units until so many are lost, alternating between flipped bytes and deleted files. */
    private void take(
        int wanted,
        Way first,
        ProtectedFiles file,
        LocatedStripe stripe,
        UnitSet onStopped,
        List<StripeUnit> left) {
      UnitSet lost = onStopped;
      Way next = first;
      for (StripeUnit unit : left) {
        if (lost.size() < wanted && mayLose(lost, unit)) {
          lost = lost.with(unit.unit());
          if (codec.shape().isParity(unit.unit())) {
            // Nobody reads the parity of a whole stripe, so nobody would notice flipped bytes.
            lose(file, stripe, unit, Way.FILES_DELETED);
          } else {
            lose(file, stripe, unit, next);
            next = next == Way.BYTES_FLIPPED ? Way.FILES_DELETED : Way.BYTES_FLIPPED;
          }
        }
      }
    }

    private boolean mayLose(UnitSet lost, StripeUnit unit) {
      return codec.furtherLosses(lost.with(unit.unit())) >= 0;
    }

    private void lose(ProtectedFiles file, LocatedStripe stripe, StripeUnit unit, Way way) {
      losses.add(new Loss(file.pathOf(stripe, unit.unit()), stripe, unit, way, holder(unit)));
    }

    /**
     * The fullest node, and the emptiest that leaves some full stripes with a single loss, if every
     * stripe tolerates that and the other nodes can replace them.
     */
    private NavigableSet<Integer> nodesToStop(Set<LocatedStripe> stripes) {
      Map<Integer, Integer> units = new HashMap<>();
      stripes.forEach(s -> live(s).forEach(unit -> units.merge(holder(unit), 1, Integer::sum)));
      int spare = Math.max(0, hdfs.dataNodes().size() - codec.shape().units());
      int stoppable = Math.min(MOST_STOPPED, Math.min(codec.furtherLosses(UnitSet.none()), spare));
      Comparator<Integer> emptiestFirst =
          Comparator.<Integer>comparingInt(units::get).thenComparing(Comparator.naturalOrder());
      NavigableSet<Integer> stopped = new TreeSet<>();
      if (stoppable > 0) {
        stopped.add(Collections.max(units.keySet(), emptiestFirst));
      }
      if (stoppable > 1) {
        List<LocatedStripe> full = stripes.stream().filter(RepairForecast::isFull).toList();
        units.keySet().stream()
            .filter(node -> !stopped.contains(node))
            .min(
                Comparator.<Integer>comparingLong(node -> -singles(full, stopped, node))
                    .thenComparing(emptiestFirst))
            .ifPresent(stopped::add);
      }
      return stopped;
    }

    /** The number of these stripes that lose one unit at most, up to what is enough to show. */
    private long singles(List<LocatedStripe> stripes, Set<Integer> stopped, int another) {
      Set<Integer> nodes = new HashSet<>(stopped);
      nodes.add(another);
      long singles = stripes.stream().filter(s -> unitsOn(nodes, s).size() <= 1).count();
      return Math.min(ENOUGH_SINGLES, singles);
    }

    private UnitSet unitsOn(Set<Integer> nodes, LocatedStripe stripe) {
      return UnitSet.of(
          live(stripe).stream()
              .filter(unit -> nodes.contains(holder(unit)))
              .mapToInt(StripeUnit::unit));
    }

    private static List<StripeUnit> live(LocatedStripe stripe) {
      return stripe.units().stream().filter(unit -> unit.state() == UnitState.LIVE).toList();
    }

    private int holder(StripeUnit unit) {
      String address = unit.located().orElseThrow().live().get(0).node().address();
      return hdfs.dataNodeAt(address).index();
    }
  }

  Set<String> paths() {
    return losses.stream().map(Loss::path).collect(Collectors.toCollection(TreeSet::new));
  }

  Set<Long> blocks() {
    return losses.stream().map(Loss::block).collect(Collectors.toSet());
  }

  long bytes() {
    return losses.stream().mapToLong(loss -> loss.unit().length()).sum();
  }

  private Map<LocatedStripe, List<Loss>> byStripe() {
    return losses.stream()
        .collect(Collectors.groupingBy(Loss::stripe, LinkedHashMap::new, Collectors.toList()));
  }

  /** Returns the forecasts for the repair of this damage, in the order of the stripes. */
  List<RepairForecast> forecasts() {
    List<RepairForecast> forecasts = new ArrayList<>();
    byStripe()
        .forEach(
            (stripe, lost) ->
                forecasts.add(
                    RepairForecast.of(
                        lost.get(0).path(),
                        stripe,
                        UnitSet.of(lost.stream().mapToInt(loss -> loss.unit().unit())))));
    return forecasts;
  }

  /** Breaks everything, on the disks and by stopping DataNodes, without telling any component. */
  void inflict(DemoCluster cluster) throws IOException {
    EmbeddedHdfs hdfs = cluster.hdfs();
    for (Loss loss : losses) {
      if (loss.way() == Way.BYTES_FLIPPED) {
        hdfs.corruptReplica(loss.block(), loss.node());
      } else if (loss.way() == Way.FILES_DELETED) {
        hdfs.deleteReplica(loss.block(), loss.node());
      }
    }
    for (int node : stopped) {
      hdfs.stopDataNode(node);
      // Saves the ten minutes after which the NameNode would do it.
      hdfs.declareDead(node);
    }
    int running = hdfs.dataNodes().size() - stopped.size();
    DemoCluster.await(
        "the NameNode misses the stopped DataNodes",
        LIMIT,
        () -> cluster.connection().access().namespace().nodes().size() == running);
  }

  void show(Console console) {
    List<List<String>> rows = new ArrayList<>();
    for (Way way : Way.values()) {
      long all = losses.stream().filter(loss -> loss.way() == way).count();
      long parity = losses.stream().filter(loss -> loss.way() == way && loss.isParity()).count();
      String nodes = String.join(", ", stopped.stream().map(node -> "dn" + node).toList());
      rows.add(
          List.of(
              way != Way.NODE_STOPPED
                  ? way.words
                  : "%s (%s)".formatted(way.words, nodes.isEmpty() ? "none can be spared" : nodes),
              Long.toString(all - parity),
              Long.toString(parity)));
    }
    console.table(List.of("LOST", "DATA BLOCKS", "PARITY BLOCKS"), rows);
    Map<Integer, Long> stripes =
        byStripe().values().stream()
            .collect(Collectors.groupingBy(List::size, TreeMap::new, Collectors.counting()));
    int most = codec.furtherLosses(UnitSet.none());
    List<String> parts = new ArrayList<>();
    stripes.forEach(
        (lost, count) ->
            parts.add(
                "%d of %d units%s: %d"
                    .formatted(
                        lost,
                        codec.shape().units(),
                        lost == most ? ", all they are certain to bear" : "",
                        count)));
    console.line("Stripes that lost " + String.join("; ", parts));
  }
}
