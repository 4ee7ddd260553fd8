package io.hdfsraid.offline.demo;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.offline.demo.Loss.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is going to be broken: some DataNodes, and units of stripes here and there. A third of the
 * stripes loses a single unit, as in most losses there are. Of three others one loses as many units
 * as it is certain to bear, one a parity unit that nobody reads, and one a unit more than the
 * stopped nodes take from it.
 *
 * @param stopped DataNodes by index
 */
record DamagePlan(Set<Integer> stopped, List<Loss> losses) {
  private static final int MOST_STOPPED = 2;
  private static final int ENOUGH_SINGLES = 2;

  DamagePlan {
    stopped = Set.copyOf(stopped);
    losses = List.copyOf(losses);
  }

  /** The damage these files bear; the seed decides which of the possible ones it is. */
  static DamagePlan of(List<Scene.Guarded> files, EmbeddedHdfs hdfs, long seed) {
    return new Draft(hdfs, new Random(seed)).plan(files);
  }

  /**
   * A stripe to be damaged.
   *
   * @param onStopped its units that lie on stopped nodes
   */
  private record Victim(Scene.Guarded file, LocatedStripe stripe, UnitSet onStopped) {}

  private static final class Draft {
    private final EmbeddedHdfs hdfs;
    private final Random random;
    private final List<Loss> losses = new ArrayList<>();
    private int damaged;

    Draft(EmbeddedHdfs hdfs, Random random) {
      this.hdfs = hdfs;
      this.random = random;
    }

    DamagePlan plan(List<Scene.Guarded> files) {
      Set<Integer> stopped = nodesToStop(files);
      List<Victim> victims = new ArrayList<>();
      for (Scene.Guarded file : files) {
        for (LocatedStripe stripe : file.stripes()) {
          victims.add(new Victim(file, stripe, on(stopped, stripe)));
        }
      }
      Set<Victim> single = single(victims);
      int others = 0;
      for (Victim victim : victims) {
        int part = single.contains(victim) ? -1 : others++;
        damage(victim, part);
      }
      return new DamagePlan(stopped, losses);
    }

    /** Those that are to lose one unit and no other: a third of all, full stripes first. */
    private static Set<Victim> single(List<Victim> victims) {
      return victims.stream()
          .filter(victim -> victim.onStopped().size() <= 1)
          .sorted(Comparator.comparing(victim -> !Promise.full(victim.stripe())))
          .limit((victims.size() + 2) / 3)
          .collect(Collectors.toSet());
    }

    /** The units of the stripe that lie on these nodes. */
    private UnitSet on(Set<Integer> nodes, LocatedStripe stripe) {
      return UnitSet.of(
          stripe.units().stream()
              .filter(unit -> unit.standing() == Standing.LIVE && nodes.contains(holder(unit)))
              .mapToInt(StripeUnit::unit));
    }

    /**
     * The fullest node and the emptiest that leaves some full stripes with a single loss, as far as
     * every stripe bears that and the other nodes can replace them.
     */
    private Set<Integer> nodesToStop(List<Scene.Guarded> files) {
      Map<Integer, Integer> units = new HashMap<>();
      List<LocatedStripe> full = new ArrayList<>();
      int borne = MOST_STOPPED;
      int most = 0;
      for (Scene.Guarded file : files) {
        for (LocatedStripe stripe : file.stripes()) {
          ErasureCodec codec = stripe.codec();
          borne = Math.min(borne, codec.furtherLosses(UnitSet.none()));
          most = Math.max(most, codec.shape().units());
          stripe.units().stream()
              .filter(unit -> unit.standing() == Standing.LIVE)
              .forEach(unit -> units.merge(holder(unit), 1, Integer::sum));
          if (Promise.full(stripe)) {
            full.add(stripe);
          }
        }
      }
      int stoppable = Math.min(borne, Math.max(0, hdfs.dataNodes().size() - most));
      List<Integer> emptiestFirst =
          units.entrySet().stream()
              .sorted(
                  Map.Entry.<Integer, Integer>comparingByValue()
                      .thenComparing(Map.Entry.comparingByKey()))
              .map(Map.Entry::getKey)
              .toList();
      Set<Integer> stopped = new TreeSet<>();
      if (stoppable > 0) {
        stopped.add(emptiestFirst.get(emptiestFirst.size() - 1));
      }
      if (stoppable > 1) {
        emptiestFirst.stream()
            .filter(node -> !stopped.contains(node))
            // The first of the best: max() would take the last.
            .reduce(
                (one, next) ->
                    singles(full, stopped, next) > singles(full, stopped, one) ? next : one)
            .ifPresent(stopped::add);
      }
      return stopped;
    }

    /** How many of these stripes lose one unit at most, up to as many as make a show. */
    private long singles(List<LocatedStripe> stripes, Set<Integer> stopped, int another) {
      Set<Integer> nodes = new TreeSet<>(stopped);
      nodes.add(another);
      return Math.min(
          ENOUGH_SINGLES, stripes.stream().filter(stripe -> on(nodes, stripe).size() <= 1).count());
    }

    private int holder(StripeUnit unit) {
      DataNode node = unit.located().orElseThrow().live().get(0).node();
      return hdfs.dataNodeAt(node.address()).index();
    }

    /**
     * @param part which of the damages that stripes get in turn; negative for a single loss
     */
    private void damage(Victim victim, int part) {
      LocatedStripe stripe = victim.stripe();
      UnitSet lost = victim.onStopped();
      List<StripeUnit> left = new ArrayList<>();
      for (StripeUnit unit : stripe.units()) {
        if (lost.contains(unit.unit())) {
          losses.add(loss(victim, unit, Way.NODE_STOPPED));
        } else if (unit.standing() == Standing.LIVE) {
          left.add(unit);
        }
      }
      Way first = damaged++ % 2 == 0 ? Way.BYTES_FLIPPED : Way.FILES_DELETED;
      if (part < 0) {
        take(1, first, victim, left);
      } else if (part % 3 == 0) {
        take(stripe.codec().furtherLosses(UnitSet.none()), first, victim, left);
      } else if (part % 3 == 1) {
        takeLastParity(victim, left);
      } else {
        take(lost.size() + 1, first, victim, left);
      }
    }

    /** Takes units at random until so many are lost, now in one way and now in the other. */
    private void take(int wanted, Way first, Victim victim, List<StripeUnit> left) {
      ErasureCodec codec = victim.stripe().codec();
      Collections.shuffle(left, random);
      UnitSet lost = victim.onStopped();
      Way next = first;
      for (StripeUnit unit : left) {
        if (lost.size() < wanted && codec.furtherLosses(lost.with(unit.unit())) >= 0) {
          lost = lost.with(unit.unit());
          if (codec.shape().isParity(unit.unit())) {
            // Nobody reads parity of a whole stripe, so nobody would ever hear of rot in it.
            losses.add(loss(victim, unit, Way.FILES_DELETED));
          } else {
            losses.add(loss(victim, unit, next));
            next = next == Way.BYTES_FLIPPED ? Way.FILES_DELETED : Way.BYTES_FLIPPED;
          }
        }
      }
    }

    /** Takes what readers do without, so that only a check can find that it is gone. */
    private void takeLastParity(Victim victim, List<StripeUnit> left) {
      ErasureCodec codec = victim.stripe().codec();
      StripeUnit last = left.get(left.size() - 1);
      if (codec.shape().isParity(last.unit())
          && codec.furtherLosses(victim.onStopped().with(last.unit())) >= 0) {
        losses.add(loss(victim, last, Way.FILES_DELETED));
      }
    }

    private Loss loss(Victim victim, StripeUnit unit, Way way) {
      LocatedBlock located = unit.located().orElseThrow();
      return new Loss(
          victim.file().pathOf(victim.stripe(), unit.unit()),
          victim.stripe(),
          unit.unit(),
          located.block().id(),
          unit.length(),
          way,
          holder(unit));
    }
  }

  Set<String> files() {
    return losses.stream().map(Loss::path).collect(Collectors.toCollection(TreeSet::new));
  }

  Set<Long> blocks() {
    return losses.stream().map(Loss::blockId).collect(Collectors.toSet());
  }

  long bytes() {
    return losses.stream().mapToLong(Loss::bytes).sum();
  }

  /** What repairing it is to read, in the order of the stripes. */
  List<Promise> promises() {
    Map<LocatedStripe, List<Loss>> perStripe =
        losses.stream()
            .collect(Collectors.groupingBy(Loss::stripe, LinkedHashMap::new, Collectors.toList()));
    return perStripe.values().stream()
        .map(
            lost ->
                Promise.of(
                    lost.get(0).path(),
                    lost.get(0).stripe(),
                    UnitSet.of(lost.stream().mapToInt(Loss::unit))))
        .toList();
  }

  /** How many stripes lose how many units. */
  Map<Integer, Long> stripesByLosses() {
    Map<LocatedStripe, Long> perStripe =
        losses.stream().collect(Collectors.groupingBy(Loss::stripe, Collectors.counting()));
    return perStripe.values().stream()
        .collect(Collectors.groupingBy(Long::intValue, TreeMap::new, Collectors.counting()));
  }
}
