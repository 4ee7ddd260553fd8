// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.NameNodeReadTokens;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Writes parity for files, stripe after stripe in file order, and checks nothing. */
public final class HandRaider implements AutoCloseable {
  private static final int CHUNK = 10_000; // several rows in a block, and a short last one

  private final DistributedFileSystem fs;
  private final HdfsNamespace namespace;
  private final HdfsParityStore store;
  private final ErasureCodec codec;
  private final ExecutorService executor = Executors.newCachedThreadPool();

  public HandRaider(EmbeddedHdfs hdfs, String root, String codec) throws IOException {
    this.fs = hdfs.fileSystem();
    this.namespace = new HdfsNamespace(fs);
    this.store =
        HdfsParityStore.open(
            hdfs.uri(),
            hdfs.configuration(),
            new ParitySettings(root, ParitySettings.AccessRule.INHERIT));
    this.codec = Codecs.parse(codec);
    store.prepare();
  }

  private String blockPool(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0).get(0).getBlock().getBlockPoolId();
  }

  public ParityFile raid(String path) throws IOException {
    return raid(path, "cluster");
  }

  /**
   * @param clusterId for the manifest, of any length
   */
  ParityFile raid(String path, String clusterId) throws IOException {
    LocatedFile file = namespace.file(path).orElseThrow();
    NameNodeReadTokens tokens = new NameNodeReadTokens(fs);
    tokens.grant(file, Set.copyOf(file.contents()));
    StripeEncoder encoder =
        new StripeEncoder(
            new HdfsDataNodes(fs, blockPool(path), tokens),
            executor,
            LocatedBlock::live,
            RowMemory.UNLIMITED);
    RowLayout layout = new RowLayout(codec.subUnits(), CHUNK);
    List<DataNode> nodes = namespace.nodes().stream().map(NodeState::node).toList();
    int k = codec.shape().dataUnits();
    int m = codec.shape().parityUnits();
    List<Stripe> stripes = new ArrayList<>();
    try (ParityDraft draft = store.draft(file.inode())) {
      for (int from = 0; from < file.blocks().size(); from += k) {
        List<LocatedBlock> data =
            file.blocks().subList(from, Math.min(from + k, file.blocks().size()));
        long longest = data.stream().mapToLong(block -> block.block().length()).max().orElseThrow();
        List<UnitOutput> outputs = new ArrayList<>();
        for (int p = 0; p < m; p++) {
          int index = stripes.size() * m + p;
          outputs.add(
              draft.create(
                  index,
                  Optional.of(nodes.get(index % nodes.size())),
                  codec.parityLength(longest)));
        }
        EncodedStripe encoded = encoder.encode(codec, layout, data, outputs, bytes -> {});
        List<DataUnit> units = new ArrayList<>();
        for (int d = 0; d < data.size(); d++) {
          units.add(new DataUnit(0, data.get(d).block(), encoded.dataCrcs().get(d)));
        }
        stripes.add(new Stripe(units, encoded.parityCrcs()));
      }
      draft.concat(stripes.size() * m);
      draft.describe(
          new Manifest(
              clusterId,
              blockPool(path),
              codec.name(),
              layout,
              3,
              1,
              1,
              List.of(new Member(file.inode(), file.length())),
              stripes),
          file);
      return draft.commit();
    }
  }

  HdfsParityStore store() {
    return store;
  }

  @Override
  public void close() {
    executor.shutdownNow();
    store.close();
  }
}
