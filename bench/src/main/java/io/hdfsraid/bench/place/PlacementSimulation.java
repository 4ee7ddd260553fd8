// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.place;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.RefusedMoves;
import io.hdfsraid.blockfixer.placement.StripeComposition;
import io.hdfsraid.blockfixer.placement.UnitMove;
import io.hdfsraid.blockfixer.placement.UnitPlacement;
import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.ManifestFormat;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Files of 128-MiB blocks, written by HDFS's default placement to a cluster, raided with rs-10-4
 * one after another, and audited. Only places and lengths are simulated, no bytes.
 */
final class PlacementSimulation {
  private static final long BLOCK = 128L << 20;
  private static final long CAPACITY = 48L << 40;
  private static final ErasureCodec CODEC = Codecs.parse("rs-10-4");

  /** Units of a stripe, each of which needs a node of its own. */
  static final int UNITS = CODEC.shape().units();

  private final int racks;
  private final int files;
  private final int blocksOfFile;
  private final long seed;
  private final List<DataNode> nodes;

  /** What decides which replica the NameNode keeps. */
  enum Keeper {
    /** Most free space, on nodes that are 65 ± 3 % full of other data. */
    FREE_SPACE("free space, nodes 65 ± 3 % full"),
    /** Most free space, on nodes that hold nothing but these files. */
    FREE_SPACE_OF_EQUALS("free space, nodes alike"),
    /** Any replica, whatever is foreseen. */
    CHANCE("chance");

    private final String label;

    Keeper(String label) {
      this.label = label;
    }
  }

  /** How stripes are made. */
  enum Stripes {
    IN_ORDER("in order"),
    COMPOSED("composed"),
    /** Composed so that they can be read in one rack. */
    NEAR("near");

    private final String label;

    Stripes(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /**
   * The result of a run, each figure as a mean over all stripes.
   *
   * @param farFromOnePlace blocks of a stripe that a reader in some rack reads across racks
   * @param farFromBestRack likewise of a reader in the best rack for the stripe
   * @param movesPerStripe units moved when the replication is lowered
   * @param tolerateRack the share of the stripes that tolerate the loss of any rack before moves
   */
  record Figures(
      String cluster,
      Keeper keeper,
      Stripes stripes,
      double farFromOnePlace,
      double farFromBestRack,
      double tolerateRack,
      double movesPerStripe,
      double crossRackMovesPerStripe,
      double dataSkewBefore,
      double dataSkewAfter,
      double totalSkewAfter,
      double manifestBytesPerUnit) {
    static final String HEADINGS =
        "nodes/racks | what decides the kept replica | stripes | moves | of which cross racks | MiB"
            + " over racks | data max/mean before | after | data + parity after | manifest"
            + " bytes/unit";

    String line() {
      return "%s | %s | %s | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f | %.1f"
          .formatted(
              cluster,
              keeper.label,
              stripes,
              movesPerStripe,
              crossRackMovesPerStripe,
              crossRackMovesPerStripe * (BLOCK >> 20),
              dataSkewBefore,
              dataSkewAfter,
              totalSkewAfter,
              manifestBytesPerUnit);
    }
  }

  /**
   * @param files of so many blocks each
   */
  PlacementSimulation(int nodes, int racks, int files, int blocksOfFile, long seed) {
    this.racks = racks;
    this.files = files;
    this.blocksOfFile = blocksOfFile;
    this.seed = seed;
    this.nodes =
        IntStream.range(0, nodes)
            .mapToObj(
                i ->
                    new DataNode(
                        "dn-" + i,
                        "10.0.%d.%d:9866".formatted(i / 250, i % 250),
                        "node" + i,
                        "/rack" + i % racks))
            .toList();
  }

  Figures run(Keeper keeper, Stripes how) {
    return new Run(keeper, how).figures();
  }

  private final class Run {
    private final Keeper keeper;
    private final Stripes how;
    private final Random random = new Random(seed);
    private final long[] other = new long[nodes.size()];
    private final long[] data = new long[nodes.size()];
    private final long[] parityOn = new long[nodes.size()];
    private final ParityBytes parity = new ParityBytes();
    private final ParityNodes places = new ParityNodes(parity);
    private final PlacementAudit audit =
        new PlacementAudit(parity, new RefusedMoves(() -> Instant.EPOCH), new Random(seed));
    private int stripes;
    private int units;
    private int moves;
    private int crossing;
    private long manifestBytes;
    private long farFromOnePlace;
    private long farFromBestRack;
    private int tolerant;

    Run(Keeper keeper, Stripes how) {
      this.keeper = keeper;
      this.how = how;
      for (int i = 0; i < other.length; i++) {
        other[i] =
            keeper == Keeper.FREE_SPACE
                ? (long) (CAPACITY * (0.65 + 0.03 * random.nextGaussian()))
                : 0;
      }
    }

    Figures figures() {
      List<List<LocatedBlock>> written = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        written.add(write(file));
      }
      double before = skew(allData());
      written.forEach(this::raid);
      long[] total = allData();
      Arrays.setAll(total, i -> total[i] + parityOn[i]);
      return new Figures(
          "%d/%d".formatted(nodes.size(), racks),
          keeper,
          how,
          (double) farFromOnePlace / stripes,
          (double) farFromBestRack / stripes,
          (double) tolerant / stripes,
          (double) moves / stripes,
          (double) crossing / stripes,
          before,
          skew(allData()),
          skew(total),
          (double) manifestBytes / units);
    }

    private long[] allData() {
      long[] all = other.clone();
      Arrays.setAll(all, i -> all[i] + data[i]);
      return all;
    }

    private double skew(long[] bytes) {
      return Arrays.stream(bytes).max().orElseThrow()
          / Arrays.stream(bytes).average().orElseThrow();
    }

    /** The first replica anywhere, the second on another rack, the third beside the second. */
    private List<LocatedBlock> write(int file) {
      List<LocatedBlock> blocks = new ArrayList<>();
      for (int i = 0; i < blocksOfFile; i++) {
        DataNode first = any();
        DataNode second = any();
        while (second.rack().equals(first.rack())) {
          second = any();
        }
        DataNode third = any();
        while (!third.rack().equals(second.rack()) || third.equals(second)) {
          third = any();
        }
        List<Replica> replicas = new ArrayList<>();
        for (DataNode node : List.of(first, second, third)) {
          replicas.add(new Replica(node, "DISK", true));
          data[index(node)] += BLOCK;
        }
        long id = (long) file * blocksOfFile + i;
        blocks.add(
            new LocatedBlock(new Block((1L << 30) + id, 1_000 + id, BLOCK), replicas, List.of()));
      }
      return blocks;
    }

    private DataNode any() {
      return nodes.get(random.nextInt(nodes.size()));
    }

    private int index(DataNode node) {
      return Integer.parseInt(node.uuid().substring(3));
    }

    private List<NodeState> states() {
      return nodes.stream()
          .map(
              node -> {
                int i = index(node);
                long used =
                    keeper == Keeper.CHANCE ? CAPACITY / 2 : other[i] + data[i] + parityOn[i];
                return new NodeState(node, true, CAPACITY - used, used);
              })
          .toList();
    }

    private void raid(List<LocatedBlock> blocks) {
      List<NodeState> states = states();
      KeptReplicaForecast kept = new KeptReplicaForecast(states);
      List<Map<DataNode, Double>> odds =
          blocks.stream().map(block -> kept.odds(block, StoragePolicy.UNSPECIFIED)).toList();
      int k = CODEC.shape().dataUnits();
      int limit = RackLimit.of(CODEC.shape().units(), states);
      List<List<Integer>> composed =
          switch (how) {
            case IN_ORDER -> StripeComposer.compose(blocks.size(), k);
            case COMPOSED -> StripeComposition.compose(k, odds, limit);
            case NEAR -> StripeComposition.composeNear(k, blocks, odds, limit);
          };
      composed.forEach(stripe -> read(stripe.stream().map(blocks::get).toList()));
      manifestBytes += ManifestFormat.encode(manifest(blocks, composed)).length;
      units += blocks.size();
      List<List<DataNode>> parityNodes = new ArrayList<>();
      for (List<Integer> stripe : composed) {
        parityNodes.add(
            places.choose(
                new ParityNodes.PlacementRequest(
                    stripe.stream().map(blocks::get).toList(),
                    stripe.stream().map(odds::get).toList(),
                    CODEC.shape().parityUnits(),
                    BLOCK,
                    StoragePolicy.UNSPECIFIED),
                states,
                random));
      }
      // Replication is lowered for a whole file at once, with free space as the last heartbeats
      // told.
      List<LocatedBlock> reduced = blocks.stream().map(block -> keep(block, states)).toList();
      for (int stripe = 0; stripe < composed.size(); stripe++) {
        settle(composed.get(stripe).stream().map(reduced::get).toList(), parityNodes.get(stripe));
      }
    }

    private void read(List<LocatedBlock> stripe) {
      long best = 0;
      for (int rack = 0; rack < racks; rack++) {
        String name = "/rack" + rack;
        long near =
            stripe.stream()
                .filter(
                    block ->
                        block.live().stream()
                            .anyMatch(replica -> replica.node().rack().equals(name)))
                .count();
        best = Math.max(best, near);
        if (rack == 0) {
          farFromOnePlace += stripe.size() - near;
        }
      }
      farFromBestRack += stripe.size() - best;
    }

    private LocatedBlock keep(LocatedBlock block, List<NodeState> states) {
      Replica keeps =
          keeper == Keeper.CHANCE
              ? block.live().get(random.nextInt(3))
              : block.live().stream()
                  .max(
                      Comparator.comparingLong(
                          replica -> states.get(index(replica.node())).remaining()))
                  .orElseThrow();
      for (Replica replica : block.live()) {
        data[index(replica.node())] -= replica.equals(keeps) ? 0 : BLOCK;
      }
      return new LocatedBlock(block.block(), List.of(keeps), List.of());
    }

    private void settle(List<LocatedBlock> blocks, List<DataNode> parityNodes) {
      List<StripeUnit> all = new ArrayList<>();
      for (LocatedBlock block : blocks) {
        all.add(new StripeUnit(all.size(), BLOCK, 0, Optional.of(block), UnitState.LIVE));
      }
      for (DataNode node : parityNodes) {
        parityOn[index(node)] += BLOCK;
        LocatedBlock block =
            new LocatedBlock(
                new Block(-1 - all.size(), 1, BLOCK),
                List.of(new Replica(node, "DISK", true)),
                List.of());
        all.add(new StripeUnit(all.size(), BLOCK, 0, Optional.of(block), UnitState.LIVE));
      }
      LocatedStripe stripe = new LocatedStripe(1, 0, CODEC, CODEC.layout(), BLOCK, all);
      stripes++;
      tolerant += toleratesRack(all) ? 1 : 0;
      UnitPlacement placement = audit.audit(stripe, 1, 1, states());
      if (!placement.stuck().isEmpty()) {
        throw new AssertionError(placement.stuck());
      }
      for (UnitMove move : placement.moves()) {
        moves++;
        crossing += move.from().node().rack().equals(move.to().rack()) ? 0 : 1;
        boolean isParity = CODEC.shape().isParity(move.unit());
        long[] bytes = isParity ? parityOn : data;
        bytes[index(move.from().node())] -= BLOCK;
        bytes[index(move.to())] += BLOCK;
        if (isParity) {
          parity.moved(move.from().node(), move.to(), BLOCK);
        }
      }
    }

    private static boolean toleratesRack(List<StripeUnit> units) {
      Map<String, Integer> inRack = new HashMap<>();
      for (StripeUnit unit : units) {
        String rack = unit.located().orElseThrow().live().get(0).node().rack();
        inRack.merge(rack, 1, Integer::sum);
      }
      return inRack.values().stream().allMatch(held -> held <= CODEC.shape().parityUnits());
    }

    private Manifest manifest(List<LocatedBlock> blocks, List<List<Integer>> composed) {
      List<Integer> parityCrcs = List.of(1, 2, 3, 4);
      return new Manifest(
          "CID-4c7c0b9e-5f3f-4a5e-8f5e-0d8b6b3a2c11",
          "BP-1234567890-10.0.0.1-1700000000000",
          CODEC.name(),
          CODEC.layout(),
          3,
          1,
          1,
          List.of(new Member(16_386, blocksOfFile * BLOCK)),
          composed.stream()
              .map(
                  stripe ->
                      new Stripe(
                          stripe.stream()
                              .map(i -> new DataUnit(0, blocks.get(i).block(), i))
                              .toList(),
                          parityCrcs))
              .toList());
    }
  }
}
