// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.StripeComposition;
import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.drfs.stripe.UnitUnreadableException;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FullReads;
import io.hdfsraid.raidnode.raiding.core.GroupStripes;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.raidnode.raiding.engine.EncodingWatcher;
import io.hdfsraid.raidnode.raiding.engine.Engine;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Has the parity units of a file written into a draft, and returns what they protect. Chooses the
 * stripes and the nodes; an {@link Engine} reads each source block once and encodes.
 */
public final class ParityBuilder {
  private static final int READ_AT_ONCE = 1 << 20;

  private final ClusterAccess cluster;
  private final Engine engine;
  private final ParityNodes places;
  private final FullReads fullReads;

  public ParityBuilder(
      ClusterAccess cluster, Engine engine, ParityNodes places, FullReads fullReads) {
    this.cluster = cluster;
    this.engine = engine;
    this.places = places;
    this.fullReads = fullReads;
  }

  /** Encodes every stripe; all units are written and closed when this returns. */
  Manifest build(
      LocatedFile source,
      ErasureCodec codec,
      Protection protection,
      ParityDraft draft,
      RaidProgress progress)
      throws IOException, LeftAlone {
    Surroundings around = surroundings(source, source.inode());
    draft.follow(around.policy());
    List<List<LocatedBlock>> composition =
        compose(source, codec, protection, around).stream()
            .map(indexes -> indexes.stream().map(source.blocks()::get).toList())
            .toList();
    List<Stripe> blank =
        composition.stream()
            .map(
                data ->
                    stripe(data, unit -> 0, Collections.nCopies(codec.shape().parityUnits(), 0)))
            .toList();
    draft.requireStorable(manifest(source, codec, protection, blank));
    return manifest(source, codec, protection, encode(composition, codec, around, draft, progress));
  }

  private Manifest manifest(
      LocatedFile source, ErasureCodec codec, Protection protection, List<Stripe> stripes) {
    return new Manifest(
        cluster.clusterId(),
        cluster.blockPool(),
        codec.name(),
        codec.layout(),
        source.replication(),
        protection.targetReplication(),
        protection.parityReplication(),
        List.of(new Member(source.inode(), source.length())),
        stripes);
  }

  private static Stripe stripe(
      List<LocatedBlock> data, IntUnaryOperator crcs, List<Integer> parityCrcs) {
    return new Stripe(
        IntStream.range(0, data.size())
            .mapToObj(unit -> new DataUnit(0, data.get(unit).block(), crcs.applyAsInt(unit)))
            .toList(),
        parityCrcs);
  }

  /**
   * Encodes the blocks of several files together: units of similar length in a stripe, for parity
   * is as long as the longest.
   *
   * @param group seeds the choice of nodes
   * @param originalReplication what the members had before anything protected them
   */
  public Manifest buildGroup(
      GroupId group,
      List<LocatedFile> files,
      ErasureCodec codec,
      Protection protection,
      int originalReplication,
      ParityDraft draft,
      RaidProgress progress)
      throws IOException, LeftAlone {
    // One directory, one policy: members of a group agree in it.
    Surroundings around = surroundings(files.get(0), group.value());
    draft.follow(around.policy());
    List<Member> members = new ArrayList<>();
    List<LocatedBlock> blocks = new ArrayList<>();
    Map<Long, Integer> memberOf = new HashMap<>();
    for (LocatedFile file : files) {
      for (LocatedBlock block : file.blocks()) {
        memberOf.put(block.block().id(), members.size());
        blocks.add(block);
      }
      members.add(new Member(file.inode(), file.length()));
    }
    List<List<LocatedBlock>> composition =
        GroupStripes.compose(blocks, block -> block.block().length(), codec.shape().dataUnits());
    List<Stripe> stripes =
        encode(composition, codec, around, draft, progress).stream()
            .map(stripe -> ofMembers(stripe, memberOf))
            .toList();
    return new Manifest(
        cluster.clusterId(),
        cluster.blockPool(),
        codec.name(),
        codec.layout(),
        originalReplication,
        protection.targetReplication(),
        protection.parityReplication(),
        members,
        stripes);
  }

  private static Stripe ofMembers(Stripe stripe, Map<Long, Integer> memberOf) {
    return new Stripe(
        stripe.data().stream()
            .map(unit -> new DataUnit(memberOf.get(unit.block().id()), unit.block(), unit.crc()))
            .toList(),
        stripe.parityCrcs());
  }

  /**
   * What decides where units should lie.
   *
   * @param kept foretells where the data units will be
   * @param random seeded by what is raided: a repeated attempt favours the same nodes
   */
  private record Surroundings(
      List<NodeState> nodes, StoragePolicy policy, KeptReplicaForecast kept, Random random) {

    List<Map<DataNode, Double>> odds(List<LocatedBlock> blocks) {
      return blocks.stream().map(block -> kept.odds(block, policy)).toList();
    }
  }

  private Surroundings surroundings(LocatedFile source, long seed) throws IOException {
    List<NodeState> nodes = cluster.namespace().nodes();
    return new Surroundings(
        nodes,
        cluster.namespace().storagePolicy(source.storagePolicy()),
        new KeptReplicaForecast(nodes),
        new Random(seed));
  }

  /**
   * Returns the indexes of the blocks of each stripe. If every data unit keeps several replicas,
   * the blocks stay in file order, because the loss of one node then loses no data unit.
   */
  private List<List<Integer>> compose(
      LocatedFile source, ErasureCodec codec, Protection protection, Surroundings around) {
    int k = codec.shape().dataUnits();
    if (protection.targetReplication() > 1) {
      return StripeComposer.compose(source.blocks().size(), k);
    }
    int units = Math.min(k, source.blocks().size()) + codec.shape().parityUnits();
    List<Map<DataNode, Double>> odds = around.odds(source.blocks());
    int rackLimit = RackLimit.of(units, around.nodes());
    return engine.encodesNearData()
        ? StripeComposition.composeNear(k, source.blocks(), odds, rackLimit)
        : StripeComposition.compose(k, odds, rackLimit);
  }

  /**
   * Encodes stripes of these blocks.
   *
   * @return what each protects; the blocks are those of the first member
   */
  private List<Stripe> encode(
      List<List<LocatedBlock>> composition,
      ErasureCodec codec,
      Surroundings around,
      ParityDraft draft,
      RaidProgress progress)
      throws IOException, LeftAlone {
    List<StripeOrder> orders = new ArrayList<>();
    for (List<LocatedBlock> data : composition) {
      orders.add(order(orders.size(), data, codec, around));
    }
    Stripe[] stripes = new Stripe[orders.size()];
    EncodingWatcher watcher =
        new EncodingWatcher() {
          @Override
          public void encodedIn(String application) {
            progress.encodedIn(application);
          }

          @Override
          public void read(long bytes) {
            progress.encoded(bytes);
          }

          @Override
          public void encoded(int stripe, EncodedStripe encoded, List<Distance> distances)
              throws IOException, LeftAlone {
            stripes[stripe] = note(composition.get(stripe), encoded, distances, progress);
          }
        };
    try {
      engine.encode(
          new EncodingOrder(codec, around.policy(), around.kept(), draft, orders), watcher);
    } catch (UnitUnreadableException e) {
      // No replica was left to go on with; the NameNode should know why, for then it is repaired.
      reportRot(e.failed());
      throw e;
    }
    return List.of(stripes);
  }

  private StripeOrder order(
      int index, List<LocatedBlock> data, ErasureCodec codec, Surroundings around)
      throws LeftAlone {
    int m = codec.shape().parityUnits();
    long longest = data.stream().mapToLong(block -> block.block().length()).max().orElseThrow();
    long length = codec.parityLength(longest);
    ParityNodes.PlacementRequest request =
        new ParityNodes.PlacementRequest(data, around.odds(data), m, length, around.policy());
    try {
      List<DataNode> favoured = places.choose(request, around.nodes(), around.random());
      return new StripeOrder(index, data, favoured, length);
    } catch (IllegalArgumentException e) {
      throw new LeftAlone(Reason.TOO_FEW_NODES, e.getMessage());
    }
  }

  private Stripe note(
      List<LocatedBlock> data,
      EncodedStripe encoded,
      List<Distance> distances,
      RaidProgress progress)
      throws IOException, LeftAlone {
    progress.spent(encoded.times());
    for (int unit = 0; unit < data.size(); unit++) {
      progress.read(distances.get(unit), data.get(unit).block().length());
    }
    reportRot(encoded.failed());
    fullReads.note(readInFull(data, encoded));
    return stripe(data, encoded.dataCrcs()::get, encoded.parityCrcs());
  }

  /** Returns the replicas that are known to be good; none if others than this process have read. */
  private static Map<Block, Replica> readInFull(List<LocatedBlock> data, EncodedStripe encoded) {
    if (encoded.readFrom().isEmpty()) {
      return Map.of();
    }
    Map<Block, Replica> read = new HashMap<>();
    for (int unit = 0; unit < data.size(); unit++) {
      read.put(data.get(unit).block(), encoded.readFrom().get(unit));
    }
    encoded.failed().forEach(failed -> read.remove(failed.block()));
    return read;
  }

  /**
   * The NameNode might keep exactly the replica that we have seen to be rotten, and its checksum
   * file would not betray it: HDFS heals it first. A report cannot be undone, and with bad memory
   * in this machine every replica looks rotten. So each is read a second time before it is
   * reported.
   */
  private void reportRot(List<FailedReplica> failures) throws IOException, LeftAlone {
    Optional<FailedReplica> rotten = Optional.empty();
    for (FailedReplica failed : failures) {
      if (failed.corrupt() && isRottenAgain(failed)) {
        cluster.badReplicas().report(failed.block(), failed.replica());
        rotten = rotten.or(() -> Optional.of(failed));
      }
    }
    if (rotten.isPresent()) {
      throw new LeftAlone(
          Reason.REPLICA_UNPROVEN,
          "A replica is rotten and was reported to the NameNode, which heals it: " + rotten.get(),
          rotten.map(FailedReplica::block));
    }
  }

  /** Reads all of a replica; a node that does not answer proves nothing. */
  private boolean isRottenAgain(FailedReplica failed) throws InterruptedIOException {
    long length = failed.block().length();
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, READ_AT_ONCE));
    try (BlockInput input = cluster.dataNodes().open(failed.block(), failed.replica(), 0, length)) {
      for (long left = length; left > 0; left -= bytes.limit()) {
        bytes.clear().limit((int) Math.min(left, bytes.capacity()));
        input.readFully(bytes);
      }
      return false;
    } catch (CorruptReplicaException e) {
      return true;
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw (InterruptedIOException)
            new InterruptedIOException("Interrupted while a replica was read again").initCause(e);
      }
      return false;
    }
  }
}
