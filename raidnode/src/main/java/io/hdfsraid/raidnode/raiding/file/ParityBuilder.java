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
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.drfs.stripe.UnitUnreadableException;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FullReads;
import io.hdfsraid.raidnode.raiding.core.GroupStripes;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
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
 * Writes the parity units of a file into a draft and returns what they protect. Each source block
 * is read once.
 */
public final class ParityBuilder {
  private static final int READ_AT_ONCE = 1 << 20;

  private final ClusterAccess cluster;
  private final StripeEncoder encoder;
  private final ParityNodes places;
  private final Traffic traffic;
  private final FullReads fullReads;

  public ParityBuilder(
      ClusterAccess cluster,
      StripeEncoder encoder,
      ParityNodes places,
      Traffic traffic,
      FullReads fullReads) {
    this.cluster = cluster;
    this.encoder = encoder;
    this.places = places;
    this.traffic = traffic;
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
    RowLayout layout = codec.layout();
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
    List<Stripe> stripes = new ArrayList<>();
    for (List<LocatedBlock> data : composition) {
      stripes.add(encode(data, stripes.size(), codec, layout, around, draft, progress));
    }
    return manifest(source, codec, protection, stripes);
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
    RowLayout layout = codec.layout();
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
    List<Stripe> stripes = new ArrayList<>();
    for (List<LocatedBlock> data :
        GroupStripes.compose(blocks, block -> block.block().length(), codec.shape().dataUnits())) {
      Stripe stripe = encode(data, stripes.size(), codec, layout, around, draft, progress);
      stripes.add(
          new Stripe(
              stripe.data().stream()
                  .map(
                      unit ->
                          new DataUnit(memberOf.get(unit.block().id()), unit.block(), unit.crc()))
                  .toList(),
              stripe.parityCrcs()));
    }
    return new Manifest(
        cluster.clusterId(),
        cluster.blockPool(),
        codec.name(),
        layout,
        originalReplication,
        protection.targetReplication(),
        protection.parityReplication(),
        members,
        stripes);
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
  private static List<List<Integer>> compose(
      LocatedFile source, ErasureCodec codec, Protection protection, Surroundings around) {
    int k = codec.shape().dataUnits();
    if (protection.targetReplication() > 1) {
      return StripeComposer.compose(source.blocks().size(), k);
    }
    int units = Math.min(k, source.blocks().size()) + codec.shape().parityUnits();
    return StripeComposition.compose(
        k, around.odds(source.blocks()), RackLimit.of(units, around.nodes()));
  }

  private Stripe encode(
      List<LocatedBlock> data,
      int stripe,
      ErasureCodec codec,
      RowLayout layout,
      Surroundings around,
      ParityDraft draft,
      RaidProgress progress)
      throws IOException, LeftAlone {
    int m = codec.shape().parityUnits();
    long longest = data.stream().mapToLong(block -> block.block().length()).max().orElseThrow();
    long length = codec.parityLength(longest);
    List<DataNode> favoured;
    try {
      favoured =
          places.choose(
              new ParityNodes.PlacementRequest(data, around.odds(data), m, length, around.policy()),
              around.nodes(),
              around.random());
    } catch (IllegalArgumentException e) {
      throw new LeftAlone(Reason.TOO_FEW_NODES, e.getMessage());
    }
    List<UnitOutput> outputs = new ArrayList<>(m);
    try {
      for (int p = 0; p < m; p++) {
        UnitOutput output = draft.create(stripe * m + p, Optional.of(favoured.get(p)), length);
        outputs.add(traffic.writes(Purpose.RAIDING, favoured.get(p), output));
      }
    } catch (IOException e) {
      closeAll(outputs, e);
      throw e;
    }
    EncodedStripe encoded;
    try {
      encoded =
          encoder.encode(
              codec,
              layout,
              data,
              outputs,
              progress::encoded,
              new LikelyKeptFirst(
                  traffic.preference(), traffic.readerLocation(), around.kept(), around.policy()));
    } catch (UnitUnreadableException e) {
      // No replica was left to go on with; the NameNode should know why, for then it is repaired.
      reportRot(e.failed());
      throw e;
    }
    progress.spent(encoded.times());
    for (int unit = 0; unit < data.size(); unit++) {
      progress.read(
          traffic.readerLocation().distanceTo(encoded.readFrom().get(unit).node()),
          data.get(unit).block().length());
    }
    reportRot(encoded.failed());
    fullReads.note(readInFull(data, encoded));
    return stripe(data, encoded.dataCrcs()::get, encoded.parityCrcs());
  }

  private static Map<Block, Replica> readInFull(List<LocatedBlock> data, EncodedStripe encoded) {
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

  private static void closeAll(List<UnitOutput> outputs, IOException because) {
    for (UnitOutput output : outputs) {
      try {
        output.close();
      } catch (IOException e) {
        because.addSuppressed(e);
      }
    }
  }
}
