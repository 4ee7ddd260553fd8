package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.Vantage;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.NameNodeReadTokens;
import io.hdfsraid.drfs.hdfs.Observers;
import io.hdfsraid.drfs.hdfs.ParityReader;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.HelperReads;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the stripe of a block that cannot be read, with the rights of the user that reads: the
 * NameNode is asked by checked calls whether the user may read the file, its parity, and each other
 * file whose blocks are in the stripe.
 */
final class LostBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(LostBlocks.class);

  private final DistributedFileSystem fileSystem;
  private final HdfsNamespace namespace;
  private final boolean asksObservers;
  private final ParityReader parities;
  private final StripeLocator locator = new StripeLocator(Codecs::parse);
  private final Executor executor;
  private final DegradedReads statistics;
  private final Optional<String> rack;

  /**
   * @param rack of this machine; empty: that of the DataNode on it, where there is one
   */
  LostBlocks(
      DistributedFileSystem fileSystem,
      String root,
      Optional<String> rack,
      Executor executor,
      DegradedReads statistics) {
    this.rack = rack;
    this.fileSystem = fileSystem;
    this.namespace = new HdfsNamespace(fileSystem);
    this.asksObservers = new Observers(fileSystem.getUri(), fileSystem.getConf()).areAsked();
    this.parities = new ParityReader(fileSystem, root);
    this.executor = executor;
    this.statistics = statistics;
  }

  /**
   * The stripe of a block of the file at this path.
   *
   * @return empty when the block is not protected, or is not any more the block that was
   * @throws IOException when this user may not read what it would take
   */
  Optional<LostBlock.Contents> find(String path, LocatedBlock lost) throws IOException {
    catchUp();
    Block block = HadoopTypes.block(lost.getBlock());
    Optional<FileState> file = namespace.file(path);
    if (file.isEmpty() || !file.get().contents().contains(block)) {
      return Optional.empty();
    }
    Optional<ParityFile> own = parities.find(file.get().inode());
    Optional<ParityFile> parity = own.isPresent() ? own : parities.findGroup(file.get());
    if (parity.isEmpty()) {
      return Optional.empty();
    }
    String blockPool = lost.getBlock().getBlockPoolId();
    if (!parity.get().manifest().blockPool().equals(blockPool)) {
      return Optional.empty();
    }
    NameNodeReadTokens tokens = new NameNodeReadTokens(fileSystem);
    tokens.grant(path);
    tokens.grant(parity.get().file().path());
    Map<Long, FileState> members = members(file.get(), block, parity.get(), tokens);
    Vantage vantage = vantage(parity.get(), members.values());
    StripeRebuilder rebuilder =
        new StripeRebuilder(
            new HdfsDataNodes(fileSystem, blockPool, tokens),
            executor,
            new NearestReplicas(vantage),
            RowMemory.UNLIMITED); // an application has as many in work as threads that read
    for (LocatedStripe stripe : locator.locate(parity.get(), members)) {
      for (StripeUnit unit : stripe.units()) {
        if (!stripe.codec().shape().isParity(unit.unit()) && holds(unit, block)) {
          Map<Long, List<Block>> seen = new HashMap<>();
          members.forEach((inode, state) -> seen.put(inode, state.contents()));
          seen.put(parity.get().file().inode(), parity.get().file().contents());
          return Optional.of(contents(rebuilder, stripe, unit.unit(), seen, vantage));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The files whose blocks are in the stripe of the lost one, as far as this user may read them:
   * what he may not read is as good as lost, and the others may do.
   */
  private Map<Long, FileState> members(
      FileState file, Block lost, ParityFile parity, NameNodeReadTokens tokens) throws IOException {
    Map<Long, FileState> members = new HashMap<>();
    members.put(file.inode(), file);
    for (long inode : parity.manifest().neighboursOf(lost)) {
      if (inode != file.inode()) {
        Optional<FileState> other = namespace.file(inode);
        if (other.isPresent()) {
          try {
            tokens.grant(other.get().path());
            members.put(inode, other.get());
          } catch (AccessControlException e) {
            LOG.debug("Not read on behalf of this user: {}", other.get().path(), e);
          }
        }
      }
    }
    return members;
  }

  /** The machine of the application among the nodes of the stripe's files. */
  private Vantage vantage(ParityFile parity, Collection<FileState> members) {
    return Vantage.here(
        rack,
        Stream.concat(Stream.of(parity.file()), members.stream())
            .flatMap(file -> file.blocks().stream())
            .flatMap(block -> block.live().stream())
            .map(Replica::node)
            .toList());
  }

  private static boolean holds(StripeUnit unit, Block block) {
    return unit.standing() != Standing.CHANGED
        && unit.located().map(located -> located.block().equals(block)).orElse(false);
  }

  /**
   * @param seen the files of the stripe as they were when it was found: a DataNode gives the bytes
   *     of a block whose file has been changed since to whoever asks for the old ones
   */
  private LostBlock.Contents contents(
      StripeRebuilder rebuilder,
      LocatedStripe found,
      int unit,
      Map<Long, List<Block>> seen,
      Vantage vantage) {
    LocatedStripe stripe = found.withLost(UnitSet.of(unit));
    return new LostBlock.Contents() {
      @Override
      public void read(long offset, ByteBuffer target) throws IOException {
        int length = target.remaining();
        HelperReads reads = rebuilder.read(stripe, unit, offset, target, ReadCost.UNIFORM);
        requireUnchanged(stripe, seen);
        Map<Distance, Long> byDistance = new EnumMap<>(Distance.class);
        reads
            .bytesFrom()
            .forEach((node, bytes) -> byDistance.merge(vantage.to(node), bytes, Long::sum));
        statistics.count(length, byDistance);
      }

      @Override
      public int rowBytes() {
        return stripe.layout().rowBytes();
      }
    };
  }

  /** Observers answer what follows only when they have heard of all that has happened by now. */
  private void catchUp() throws IOException {
    if (asksObservers) {
      fileSystem.msync();
    }
  }

  private void requireUnchanged(LocatedStripe stripe, Map<Long, List<Block>> seen)
      throws IOException {
    catchUp();
    for (Map.Entry<Long, List<Block>> file : seen.entrySet()) {
      Optional<FileState> now = namespace.file(file.getKey());
      if (now.isEmpty() || !now.get().contents().equals(file.getValue())) {
        throw new IOException(
            "The file with inode id %d was changed while %s was read; what was rebuilt is thrown away"
                .formatted(file.getKey(), stripe));
      }
    }
  }
}
