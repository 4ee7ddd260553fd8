// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.plan.TargetSelector;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * One stripe of one file, raided by hand in an in-memory cluster: unit <i>u</i> lies on node
 * <i>u</i>, alone.
 */
public final class RaidedStripe {
  public static final String PATH = "/cold";
  private static final String PARITY = "/.raid/parity/cold";
  private static final int BLOCK = 1000;

  /** Small enough that a block has several rows, also of three chunks. */
  private static final int CHUNK = 100;

  public final InMemoryCluster cluster;
  public final FaultyDataNodes dataNodes;
  public final ErasureCodec codec;
  public final ParityFile parity;
  public final IntegrityCheck check;
  public final RepairPlanner planner;
  public final BlockLookup blocks;
  private final byte[][] units;

  /** With some nodes to spare and a full stripe. */
  public RaidedStripe(String codec) throws IOException {
    this(codec, Codecs.parse(codec).shape().units() + 4, 0);
  }

  /**
   * A file of k blocks.
   *
   * @param absent so many blocks less, and the last one is ragged
   */
  public RaidedStripe(String codecName, int nodes, int absent) throws IOException {
    this(codecName, nodes, absent, UnitSet.none());
  }

  /**
   * @param wrong parity units that do not belong to the data, though each holds what is recorded
   */
  public RaidedStripe(String codecName, int nodes, int absent, UnitSet wrong) throws IOException {
    codec = Codecs.parse(codecName);
    cluster = new InMemoryCluster(nodes, 5, 1);
    dataNodes = new FaultyDataNodes(cluster);
    int data = codec.shape().dataUnits() - absent;
    byte[] content = new byte[absent == 0 ? data * BLOCK : data * BLOCK - 123];
    new Random(7).nextBytes(content);
    long inode = cluster.createFile(PATH, BLOCK, content, 1);
    units = encode(content, data);
    wrong.stream().forEach(unit -> units[unit][321] ^= 4);
    ByteBuffer parityBytes = ByteBuffer.allocate(codec.shape().parityUnits() * parityLength());
    for (int unit = codec.shape().dataUnits(); unit < units.length; unit++) {
      parityBytes.put(units[unit]);
    }
    long parityInode = cluster.createFile(PARITY, parityLength(), parityBytes.array(), 1);
    LocatedFile source = cluster.file(inode).orElseThrow();
    LocatedFile parityFile = cluster.file(parityInode).orElseThrow();
    List<DataUnit> dataUnits =
        IntStream.range(0, data)
            .mapToObj(u -> new DataUnit(0, source.contents().get(u), crc(units[u])))
            .toList();
    List<Integer> parityCrcs =
        Arrays.stream(units, codec.shape().dataUnits(), units.length)
            .map(RaidedStripe::crc)
            .toList();
    Manifest manifest =
        new Manifest(
            "cluster",
            "pool",
            codecName,
            new RowLayout(codec.subUnits(), CHUNK),
            3,
            1,
            1,
            List.of(new Member(inode, content.length)),
            List.of(new Stripe(dataUnits, parityCrcs)));
    parity = new ParityFile(parityFile, manifest, ParityPhase.REDUCED);
    check = new IntegrityCheck(cluster, new StripeLocator(Codecs::parse), dataNodes, Runnable::run);
    planner = new RepairPlanner(cluster, new TargetSelector(new Random(3)));
    blocks = new BlockLookup(cluster, parity);
    for (int unit : present().toArray()) {
      cluster.place(block(unit).id(), cluster.node(unit));
    }
  }

  private int parityLength() {
    return (int) codec.parityLength(Arrays.stream(units).mapToInt(u -> u.length).max().orElse(0));
  }

  private byte[][] encode(byte[] content, int data) {
    int k = codec.shape().dataUnits();
    byte[][] all = new byte[codec.shape().units()][0];
    for (int u = 0; u < data; u++) {
      all[u] = Arrays.copyOfRange(content, u * BLOCK, Math.min(content.length, (u + 1) * BLOCK));
    }
    int length = (int) codec.parityLength(all[0].length);
    ByteBuffer[] whole = new ByteBuffer[codec.shape().units()];
    for (int u = 0; u < whole.length; u++) {
      if (u >= k) {
        all[u] = new byte[length];
      }
      whole[u] = ByteBuffer.wrap(u < k ? Arrays.copyOf(all[u], length) : all[u]);
    }
    int row = codec.subUnits() * CHUNK;
    for (int from = 0; from < length; from += row) {
      int at = from;
      int bytes = Math.min(row, length - from);
      ByteBuffer[] rows =
          Arrays.stream(whole).map(unit -> unit.slice(at, bytes)).toArray(ByteBuffer[]::new);
      codec.encode(
          Arrays.copyOfRange(rows, 0, k), Arrays.copyOfRange(rows, k, codec.shape().units()));
    }
    return all;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** All units that are not absent. */
  public UnitSet present() {
    try {
      return UnitSet.all(codec.shape()).minus(stripe().absent());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public LocatedStripe stripe() throws IOException {
    return check.locate(parity).get(0);
  }

  /** By the word of NameNode and DataNodes. */
  public StripeHealth health() throws IOException {
    return check.check(parity).get(0);
  }

  /** By the NameNode's word alone. */
  public StripeHealth wordOfTheNameNode() throws IOException {
    return check.judge(parity).get(0);
  }

  public RepairPlan plan(StripeHealth health) throws IOException {
    RepairDecision decision = planner.plan(health);
    return decision.plan().orElseThrow(() -> new AssertionError(decision.message()));
  }

  public Block block(int unit) throws IOException {
    return located(unit).block();
  }

  public LocatedBlock located(int unit) throws IOException {
    return stripe().unit(unit).located().orElseThrow();
  }

  public Replica replica(int unit) throws IOException {
    return located(unit).live().get(0);
  }

  /** The unit's only replica is gone, and the NameNode knows. */
  public void lose(int unit) throws IOException {
    cluster.deleteReplica(block(unit).id(), replica(unit).node());
  }

  public void lose(UnitSet lost) throws IOException {
    for (int unit : lost.toArray()) {
      lose(unit);
    }
  }

  /** The replica holds other bytes than were encoded, with checksums that fit them. */
  public void replaceContent(int unit) throws IOException {
    DataNode node = replica(unit).node();
    Block block = block(unit);
    byte[] wrong = units[unit].clone();
    wrong[wrong.length / 2] ^= 1;
    cluster.deleteReplica(block.id(), node);
    cluster.deliver(block, node, wrong);
  }

  /** What the unit was when it was encoded. */
  public byte[] content(int unit) {
    return units[unit].clone();
  }

  /** Every unit is where the NameNode says, with the bytes it had when it was encoded. */
  public void assertWhole() throws IOException {
    for (int unit : present().toArray()) {
      LocatedBlock located = located(unit);
      assertThat(located.live()).as("replicas of unit %d", unit).hasSize(1);
      ByteBuffer bytes = ByteBuffer.allocate(units[unit].length);
      try (var input = cluster.open(located.block(), located.live().get(0), 0, bytes.capacity())) {
        input.readFully(bytes);
      }
      assertThat(bytes.array()).as("unit %d", unit).isEqualTo(units[unit]);
    }
  }

  /** The nodes of all live replicas, one for each. */
  public List<DataNode> nodes() throws IOException {
    List<DataNode> nodes = new ArrayList<>();
    for (int unit : present().toArray()) {
      located(unit).live().forEach(replica -> nodes.add(replica.node()));
    }
    return nodes;
  }

  /** All sets of 1 to {@code most} of the given units. */
  public static List<UnitSet> subsets(UnitSet units, int most) {
    List<UnitSet> sets = new ArrayList<>(List.of(UnitSet.none()));
    for (int unit : units.toArray()) {
      for (UnitSet set : List.copyOf(sets)) {
        if (set.size() < most) {
          sets.add(set.with(unit));
        }
      }
    }
    sets.remove(0);
    return sets;
  }
}
