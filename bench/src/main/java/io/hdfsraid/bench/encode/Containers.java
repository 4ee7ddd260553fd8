// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.encode;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One container on each DataNode, which works for one at a time. Safe for concurrent use. */
final class Containers {
  private final Map<Distance, LongAdder> read = new EnumMap<>(Distance.class);
  private final Lock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();

  /** The containers that do nothing; guarded by lock. */
  private final List<Container> idle = new ArrayList<>();

  /** Guarded by lock. */
  private final Random random;

  /**
   * @param bytesPerSecond of the link of each machine
   * @param rackBytesPerSecond of the link of each rack
   */
  Containers(
      Collection<DataNode> machines, long bytesPerSecond, long rackBytesPerSecond, long seed) {
    for (Distance distance : Distance.values()) {
      read.put(distance, new LongAdder());
    }
    Map<String, Link> racks = new HashMap<>();
    for (DataNode machine : machines) {
      Link rack = racks.computeIfAbsent(machine.rack(), none -> new Link(rackBytesPerSecond));
      idle.add(new Container(machine, new Link(bytesPerSecond), rack, read));
    }
    this.random = new Random(seed);
  }

  /** Waits for any container. Whoever takes one gives it {@link #back}. */
  Container any() throws IOException {
    return take(all -> Optional.of(all.get(random.nextInt(all.size()))));
  }

  /**
   * Waits for a container in the rack that holds most of these blocks: of those that do nothing,
   * the one whose machine holds most. YARN is asked for the same.
   */
  Container nearest(List<LocatedBlock> blocks) throws IOException {
    Map<String, Long> racks = bytes(blocks, DataNode::rack);
    Map<DataNode, Long> machines = bytes(blocks, Function.identity());
    String rack = Collections.max(racks.entrySet(), Map.Entry.comparingByValue()).getKey();
    return take(
        all ->
            all.stream()
                .filter(container -> container.machine().rack().equals(rack))
                .max(
                    Comparator.comparing(
                        container -> machines.getOrDefault(container.machine(), 0L))));
  }

  private static <T> Map<T, Long> bytes(List<LocatedBlock> blocks, Function<DataNode, T> place) {
    Map<T, Long> bytes = new HashMap<>();
    for (LocatedBlock block : blocks) {
      block.live().stream()
          .map(replica -> place.apply(replica.node()))
          .collect(Collectors.toSet())
          .forEach(where -> bytes.merge(where, block.block().length(), Long::sum));
    }
    return bytes;
  }

  private Container take(Function<List<Container>, Optional<Container>> choice) throws IOException {
    lock.lock();
    try {
      while (true) {
        Optional<Container> chosen = idle.isEmpty() ? Optional.empty() : choice.apply(idle);
        if (chosen.isPresent()) {
          idle.remove(chosen.get());
          return chosen.get();
        }
        returned.await();
      }
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for a container", e);
    } finally {
      lock.unlock();
    }
  }

  /** Gives a container back. */
  void back(Container container) {
    lock.lock();
    try {
      idle.add(container);
      returned.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the share of the bytes that were read from each distance. */
  Map<Distance, Double> shares() {
    double all = Math.max(1, read.values().stream().mapToLong(LongAdder::sum).sum());
    Map<Distance, Double> shares = new EnumMap<>(Distance.class);
    read.forEach((distance, bytes) -> shares.put(distance, bytes.sum() / all));
    return shares;
  }
}
