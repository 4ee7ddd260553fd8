// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.github.bucket4j.TimeMeter;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Carries everything that passes between the daemon and DataNodes. Each transfer waits for its rate
 * and for a stream of the node, and is counted by purpose, direction and distance. A change of the
 * rates also reaches running transfers. Safe for concurrent use.
 */
public final class Traffic {
  /** Distance counts as much as load. */
  private static final double FAR = 0.5;

  private static final double BUSY = 0.5;

  private final ReaderLocation readerLocation;
  private final ReplicaPreference preference;
  private final TransferListener listener;
  private final TransferTotals totals = new TransferTotals();
  private final Streams streams;

  /** Inputs of each node that are open. */
  private final Map<DataNode, Integer> open = new ConcurrentHashMap<>();

  private final Rate checksums;
  private final Map<Purpose, Throttle> throttles = new EnumMap<>(Purpose.class);

  public Traffic(Tuning tuning, ReaderLocation readerLocation, TransferListener listener) {
    this.readerLocation = readerLocation;
    this.preference = new NearestReplicas(readerLocation);
    this.listener = listener;
    this.streams = new Streams(tuning.streamsPerDataNode());
    this.checksums = new Rate(tuning.checksumsPerSecond(), TimeMeter.SYSTEM_NANOTIME);
    for (Purpose purpose : Purpose.values()) {
      throttles.put(purpose, new Throttle(tuning.share(purpose), TimeMeter.SYSTEM_NANOTIME));
    }
  }

  /** New bounds, from now on and for all that waits. */
  public void apply(Tuning tuning) {
    streams.set(tuning.streamsPerDataNode());
    checksums.set(tuning.checksumsPerSecond());
    throttles.forEach((purpose, throttle) -> throttle.set(tuning.share(purpose)));
  }

  public ReaderLocation readerLocation() {
    return readerLocation;
  }

  /** Which replica of a block to read first: the nearest, spread over equally near ones. */
  public ReplicaPreference preference() {
    return preference;
  }

  /** Which nodes to read from: near ones, and those from which little is being read. */
  public NodeCost nodeCost() {
    return node -> FAR * distance(readerLocation.distanceTo(node)) + BUSY * openInputs(node);
  }

  private static double distance(Distance distance) {
    return switch (distance) {
      case SAME_NODE -> 0;
      case SAME_RACK -> 0.5;
      case OFF_RACK, RACK_UNKNOWN -> 1;
    };
  }

  /** From 0 for none towards 1. */
  private double openInputs(DataNode node) {
    int inputs = open.getOrDefault(node, 0);
    return inputs / (inputs + 1.0);
  }

  /** All that has passed since the start. */
  public TransferTotals totals() {
    return totals;
  }

  /** These DataNodes, read at the pace of the purpose. Questions for checksums carry no bytes. */
  public DataNodes reads(Purpose purpose, DataNodes dataNodes) {
    return new DataNodes() {
      @Override
      public BlockInput open(Block block, Replica replica, long offset, long length)
          throws IOException {
        return paced(purpose, replica.node(), dataNodes.open(block, replica, offset, length));
      }

      @Override
      public int checksum(Block block, Replica replica) throws IOException {
        return dataNodes.checksum(block, replica);
      }
    };
  }

  /**
   * These DataNodes, asked for checksums at the pace of scrubs: each question has a DataNode read a
   * checksum file, 1 MiB for a block of 128 MiB.
   */
  public DataNodes questions(DataNodes dataNodes) {
    return new DataNodes() {
      @Override
      public BlockInput open(Block block, Replica replica, long offset, long length)
          throws IOException {
        return dataNodes.open(block, replica, offset, length);
      }

      @Override
      public int checksum(Block block, Replica replica) throws IOException {
        checksums.take(1);
        return dataNodes.checksum(block, replica);
      }
    };
  }

  private BlockInput paced(Purpose purpose, DataNode node, BlockInput input) {
    open.merge(node, 1, Integer::sum);
    return new BlockInput() {
      private final AtomicBoolean closed = new AtomicBoolean();

      @Override
      public void readFully(ByteBuffer target) throws IOException {
        transfer(purpose, Direction.READ, node, target.remaining(), () -> input.readFully(target));
      }

      @Override
      public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
          open.computeIfPresent(node, (key, inputs) -> inputs == 1 ? null : inputs - 1);
        }
        input.close();
      }
    };
  }

  /**
   * This parity unit, written at the pace of the purpose.
   *
   * @param node it is favoured to go to; HDFS may choose another, and the count is then off by it
   */
  public UnitOutput writes(Purpose purpose, DataNode node, UnitOutput output) {
    return new UnitOutput() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        transfer(purpose, Direction.WRITTEN, node, bytes.remaining(), () -> output.write(bytes));
      }

      @Override
      public void close() throws IOException {
        output.close();
      }
    };
  }

  /** Deliveries of rebuilt units, at the pace of the purpose. */
  public BlockDelivery deliveries(Purpose purpose, BlockDelivery delivery) {
    return (block, target, storageType) ->
        paced(purpose, target, delivery.open(block, target, storageType));
  }

  private Delivery paced(Purpose purpose, DataNode target, Delivery delivery) {
    return new Delivery() {
      @Override
      public void accept(ByteBuffer bytes) throws IOException {
        transfer(
            purpose, Direction.WRITTEN, target, bytes.remaining(), () -> delivery.accept(bytes));
      }

      @Override
      public void finish() throws IOException {
        delivery.finish();
      }

      @Override
      public void close() throws IOException {
        delivery.close();
      }
    };
  }

  /** Moves of units, at the pace of moves. */
  public BlockMover moves(BlockMover mover) {
    return (block, from, to) -> {
      long bytes = block.length();
      throttles.get(Purpose.MOVES).take(from.node(), to, bytes);
      streams.during(from.node(), to, () -> mover.move(block, from, to));
      count(Purpose.MOVES, Direction.MOVED, between(from.node(), to), bytes);
    };
  }

  private static Distance between(DataNode from, DataNode to) {
    return new ReaderLocation(Set.of(), Optional.of(from.rack())).distanceTo(to);
  }

  private void transfer(
      Purpose purpose, Direction direction, DataNode node, long bytes, Streams.Transfer transfer)
      throws IOException {
    throttles.get(purpose).take(node, bytes);
    streams.during(node, transfer);
    count(purpose, direction, readerLocation.distanceTo(node), bytes);
  }

  private void count(Purpose purpose, Direction direction, Distance distance, long bytes) {
    totals.transferred(purpose, direction, distance, bytes);
    listener.transferred(purpose, direction, distance, bytes);
  }
}
