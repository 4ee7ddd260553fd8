// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * A file of an {@link InMemoryCluster} with committed parity: in every stripe unit u is on node u
 * alone, so that killing node u loses unit u. The file's replication is 1.
 */
public final class RaidedFile {
  private final InMemoryCluster cluster;
  private final ErasureCodec codec;
  private final long inode;

  private RaidedFile(InMemoryCluster cluster, ErasureCodec codec, long inode) {
    this.cluster = cluster;
    this.codec = codec;
    this.inode = inode;
  }

  /**
   * Creates and raids a file. The cluster needs k + m nodes.
   *
   * @param chunk c of the row layout
   */
  public static RaidedFile create(
      InMemoryCluster cluster,
      String path,
      long blockSize,
      byte[] bytes,
      ErasureCodec codec,
      int chunk,
      Executor executor)
      throws IOException {
    long inode = cluster.createFile(path, blockSize, bytes, 1);
    RowLayout layout = new RowLayout(codec.subUnits(), chunk);
    int k = codec.shape().dataUnits();
    int m = codec.shape().parityUnits();
    StripeEncoder encoder =
        new StripeEncoder(cluster, executor, LocatedBlock::live, RowMemory.UNLIMITED);
    List<Stripe> stripes = new ArrayList<>();
    LocatedFile file = cluster.file(inode).orElseThrow();
    try (ParityDraft draft = cluster.draft(inode)) {
      for (List<Integer> indexes : StripeComposer.compose(file.blocks().size(), k)) {
        for (int unit = 0; unit < indexes.size(); unit++) {
          cluster.place(file.blocks().get(indexes.get(unit)).block().id(), cluster.node(unit));
        }
        LocatedFile placed = cluster.file(inode).orElseThrow();
        List<LocatedBlock> data = indexes.stream().map(i -> placed.blocks().get(i)).toList();
        long length =
            codec.parityLength(
                data.stream().mapToLong(b -> b.block().length()).max().orElseThrow());
        List<UnitOutput> outputs = new ArrayList<>();
        for (int p = 0; p < m; p++) {
          outputs.add(
              draft.create(stripes.size() * m + p, Optional.of(cluster.node(k + p)), length));
        }
        EncodedStripe encoded = encoder.encode(codec, layout, data, outputs, read -> {});
        List<DataUnit> units = new ArrayList<>();
        for (int unit = 0; unit < data.size(); unit++) {
          units.add(new DataUnit(0, data.get(unit).block(), encoded.dataCrcs().get(unit)));
        }
        stripes.add(new Stripe(units, encoded.parityCrcs()));
      }
      draft.concat(stripes.size() * m);
      draft.describe(
          new Manifest(
              "CID-1",
              "BP-1",
              codec.name(),
              layout,
              3,
              1,
              1,
              List.of(new Member(inode, file.length())),
              stripes),
          file);
      draft.commit();
    }
    return new RaidedFile(cluster, codec, inode);
  }

  public long inode() {
    return inode;
  }

  public ParityFile parity() throws IOException {
    return cluster.find(inode).orElseThrow();
  }

  /** The stripes as the cluster shows them now. */
  public List<LocatedStripe> stripes() throws IOException {
    ParityFile parity = parity();
    Map<Long, LocatedFile> members =
        parity.manifest().members().stream()
            .flatMap(member -> cluster.file(member.inode()).stream())
            .collect(Collectors.toMap(LocatedFile::inode, file -> file));
    return new StripeLocator(name -> codec).locate(parity, members);
  }
}
