package io.hdfsraid.raidnode.traffic;

import io.github.bucket4j.TimeMeter;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.Vantage;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that passes between the daemon and DataNodes goes through here: it waits for its rate
 * and for a stream of the node, and is counted by purpose, direction and distance. Safe for
 * concurrent use; a change of the rates reaches transfers that are under way.
 */
public final class Traffic {
  private final Vantage vantage;
  private final ReplicaPreference preference;
  private final TransferListener listener;
  private final TransferTotals totals = new TransferTotals();
  private final Streams streams;
  private final Map<Purpose, Throttle> throttles = new EnumMap<>(Purpose.class);

  public Traffic(Tuning tuning, Vantage vantage, TransferListener listener) {
    this.vantage = vantage;
    this.preference = new NearestReplicas(vantage);
    this.listener = listener;
    this.streams = new Streams(tuning.streamsPerDataNode());
    for (Purpose purpose : Purpose.values()) {
      throttles.put(purpose, new Throttle(tuning.share(purpose), TimeMeter.SYSTEM_NANOTIME));
    }
  }

  /** New bounds, from now on and for all that waits. */
  public void apply(Tuning tuning) {
    streams.set(tuning.streamsPerDataNode());
    throttles.forEach((purpose, throttle) -> throttle.set(tuning.share(purpose)));
  }

  public Vantage vantage() {
    return vantage;
  }

  /** Which replica of a block to read first: the nearest, spread over equally near ones. */
  public ReplicaPreference preference() {
    return preference;
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

  private BlockInput paced(Purpose purpose, DataNode node, BlockInput input) {
    return new BlockInput() {
      @Override
      public void readFully(ByteBuffer target) throws IOException {
        transfer(purpose, Direction.READ, node, target.remaining(), () -> input.readFully(target));
      }

      @Override
      public void close() throws IOException {
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

  /** Deliveries of rebuilt units, at the pace of repairs. */
  public BlockDelivery deliveries(BlockDelivery delivery) {
    return (block, target, storageType) -> paced(target, delivery.open(block, target, storageType));
  }

  private Delivery paced(DataNode target, Delivery delivery) {
    return new Delivery() {
      @Override
      public void accept(ByteBuffer bytes) throws IOException {
        transfer(
            Purpose.REPAIR,
            Direction.WRITTEN,
            target,
            bytes.remaining(),
            () -> delivery.accept(bytes));
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
    return new Vantage(Set.of(), Optional.of(from.rack())).to(to);
  }

  private void transfer(
      Purpose purpose, Direction direction, DataNode node, long bytes, Streams.Transfer transfer)
      throws IOException {
    throttles.get(purpose).take(node, bytes);
    streams.during(node, transfer);
    count(purpose, direction, vantage.to(node), bytes);
  }

  private void count(Purpose purpose, Direction direction, Distance distance, long bytes) {
    totals.transferred(purpose, direction, distance, bytes);
    listener.transferred(purpose, direction, distance, bytes);
  }
}
