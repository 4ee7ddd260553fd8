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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is going to be broken: some DataNodes, and units of stripes here and there. Of four stripes
 * one loses as many units as it is certain to bear, one a single unit at least, one a parity unit
 * that nobody reads, and one a unit more than the stopped nodes take from it.
 *
 * @param stopped DataNodes by index
 */
record DamagePlan(Set<Integer> stopped, List<Loss> losses) {
  private static final int MOST_STOPPED = 2;

  DamagePlan {
    stopped = Set.copyOf(stopped);
    losses = List.copyOf(losses);
  }

  /** The damage these files bear; the seed decides which of the possible ones it is. */
  static DamagePlan of(List<Scene.Guarded> files, EmbeddedHdfs hdfs, long seed) {
    return new Draft(hdfs, new Random(seed)).plan(files);
  }

  private static final class Draft {
    private final EmbeddedHdfs hdfs;
    private final Random random;
    private final List<Loss> losses = new ArrayList<>();

    Draft(EmbeddedHdfs hdfs, Random random) {
      this.hdfs = hdfs;
      this.random = random;
    }

    DamagePlan plan(List<Scene.Guarded> files) {
      Set<Integer> stopped = nodesToStop(files);
      int number = 0;
      for (Scene.Guarded file : files) {
        for (LocatedStripe stripe : file.stripes()) {
          damage(file.path(), stripe, stopped, number++);
        }
      }
      return new DamagePlan(stopped, losses);
    }

    /**
     * The fullest node and the emptiest, if every stripe bears that and the others can replace
     * them.
     */
    private Set<Integer> nodesToStop(List<Scene.Guarded> files) {
      Map<Integer, Integer> units = new HashMap<>();
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
        }
      }
      int spare = Math.max(0, hdfs.dataNodes().size() - most);
      Deque<Integer> fullestFirst = new ArrayDeque<>();
      units.entrySet().stream()
          .sorted(
              Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                  .thenComparing(Map.Entry.comparingByKey()))
          .forEach(entry -> fullestFirst.add(entry.getKey()));
      Set<Integer> stopped = new TreeSet<>();
      while (stopped.size() < Math.min(borne, spare) && !fullestFirst.isEmpty()) {
        stopped.add(stopped.isEmpty() ? fullestFirst.pollFirst() : fullestFirst.pollLast());
      }
      return stopped;
    }

    private int holder(StripeUnit unit) {
      DataNode node = unit.located().orElseThrow().live().get(0).node();
      return hdfs.dataNodeAt(node.address()).index();
    }

    private void damage(String path, LocatedStripe stripe, Set<Integer> stopped, int number) {
      ErasureCodec codec = stripe.codec();
      List<StripeUnit> left = new ArrayList<>();
      UnitSet lost = UnitSet.none();
      for (StripeUnit unit : stripe.units()) {
        if (unit.standing() == Standing.LIVE && stopped.contains(holder(unit))) {
          lost = lost.with(unit.unit());
          losses.add(loss(path, stripe, unit, Way.NODE_STOPPED));
        } else if (unit.standing() == Standing.LIVE) {
          left.add(unit);
        }
      }
      int borne = codec.furtherLosses(UnitSet.none());
      Way first = number % 8 < 4 ? Way.BYTES_FLIPPED : Way.FILES_DELETED;
      switch (number % 4) {
        case 0 -> take(borne, first, path, stripe, lost, left);
        case 1 -> take(1, first, path, stripe, lost, left);
        case 2 -> takeLastParity(path, stripe, lost, left);
        default -> take(lost.size() + 1, first, path, stripe, lost, left);
      }
    }

    /** Takes units at random until so many are lost, now in one way and now in the other. */
    private void take(
        int wanted,
        Way first,
        String path,
        LocatedStripe stripe,
        UnitSet already,
        List<StripeUnit> left) {
      ErasureCodec codec = stripe.codec();
      Collections.shuffle(left, random);
      UnitSet lost = already;
      Way next = first;
      for (StripeUnit unit : left) {
        if (lost.size() < wanted && codec.furtherLosses(lost.with(unit.unit())) >= 0) {
          lost = lost.with(unit.unit());
          if (codec.shape().isParity(unit.unit())) {
            // Nobody reads parity of a whole stripe, so nobody would ever hear of rot in it.
            losses.add(loss(path, stripe, unit, Way.FILES_DELETED));
          } else {
            losses.add(loss(path, stripe, unit, next));
            next = next == Way.BYTES_FLIPPED ? Way.FILES_DELETED : Way.BYTES_FLIPPED;
          }
        }
      }
    }

    /** Takes what readers do without, so that only a check can find that it is gone. */
    private void takeLastParity(
        String path, LocatedStripe stripe, UnitSet already, List<StripeUnit> left) {
      StripeUnit last = left.get(left.size() - 1);
      boolean parity = stripe.codec().shape().isParity(last.unit());
      if (parity && stripe.codec().furtherLosses(already.with(last.unit())) >= 0) {
        losses.add(loss(path, stripe, last, Way.FILES_DELETED));
      }
    }

    private Loss loss(String path, LocatedStripe stripe, StripeUnit unit, Way way) {
      LocatedBlock located = unit.located().orElseThrow();
      return new Loss(
          path, stripe, unit.unit(), located.block().id(), unit.length(), way, holder(unit));
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

  /** How many stripes lose how many units. */
  Map<Integer, Long> stripesByLosses() {
    Map<LocatedStripe, Long> perStripe =
        losses.stream().collect(Collectors.groupingBy(Loss::stripe, Collectors.counting()));
    return perStripe.values().stream()
        .collect(Collectors.groupingBy(Long::intValue, TreeMap::new, Collectors.counting()));
  }
}
