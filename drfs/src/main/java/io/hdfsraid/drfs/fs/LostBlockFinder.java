// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.hdfs.HdfsBadReplicaReports;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.NameNodeReadTokens;
import io.hdfsraid.drfs.hdfs.ObserverNameNodes;
import io.hdfsraid.drfs.hdfs.ParityReader;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.HelperLostException;
import io.hdfsraid.drfs.stripe.HelperPace;
import io.hdfsraid.drfs.stripe.HelperReads;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.LostUnit;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.drfs.stripe.UnrecoverableStripeException;
import io.hdfsraid.drfs.stripe.VerifiedReplicas;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the stripe of a block that HDFS cannot read, with the permissions of the reading user.
 * Calls to the NameNode check whether the user may read the file, its parity, and each other file
 * with blocks in the stripe.
 */
final class LostBlockFinder {
  private static final Logger LOG = LoggerFactory.getLogger(LostBlockFinder.class);

  private final DistributedFileSystem fileSystem;
  private final HdfsNamespace namespace;
  private final boolean asksObservers;
  private final ParityReader parities;
  private final StripeLocator locator = new StripeLocator(Codecs::parse);
  private final ExecutorService executor;
  private final DegradedReadStatistics statistics;
  private final Optional<String> rack;
  private final HelperPace pace;
  private final RowMemory memory;
  private final SuspectReplicas suspects;

  /**
   * @param rack rack of this machine; if empty, the rack of the DataNode on this machine, if there
   *     is one
   * @param pace shared by all streams of this client
   */
  LostBlockFinder(
      DistributedFileSystem fileSystem,
      String root,
      Optional<String> rack,
      ExecutorService executor,
      HelperPace pace,
      RowMemory memory,
      DegradedReadStatistics statistics) {
    this.pace = pace;
    this.memory = memory;
    this.rack = rack;
    this.fileSystem = fileSystem;
    this.namespace = new HdfsNamespace(fileSystem);
    this.asksObservers =
        new ObserverNameNodes(fileSystem.getUri(), fileSystem.getConf()).areConfigured();
    this.parities = new ParityReader(fileSystem, root);
    this.executor = executor;
    this.suspects = new SuspectReplicas(executor, System::nanoTime);
    this.statistics = statistics;
  }

  /**
   * @param file the file of the block
   * @param contents as they are stored: ciphertext of an encrypted file
   */
  record Found(LostBlock.Owner file, LostBlock.Contents contents) {}

  /** Finds the stripe of a block of the file at this path. */
  Optional<Found> find(String path, LocatedBlock lost) throws IOException {
    return find(path, OptionalLong.empty(), lost, List.of());
  }

  /**
   * Finds the stripe of a block of a file.
   *
   * @param path where the file was opened
   * @param inode of the file if it is known. Only this file is looked for then, also if it was
   *     renamed
   * @param opened the blocks of the file as the NameNode gave them to this user
   * @return empty if the block is not protected, or is no longer the same block
   * @throws IOException if this user may not read a file that is needed
   */
  Optional<Found> find(
      String path, OptionalLong inode, LocatedBlock lost, List<LocatedBlock> opened)
      throws IOException {
    catchUp();
    Block block = HadoopTypes.block(lost.getBlock());
    Optional<LocatedFile> file =
        namespace
            .file(path)
            .filter(found -> isThe(found, inode, opened))
            .filter(found -> found.contents().contains(block));
    if (file.isEmpty() && inode.isPresent()) {
      file = namespace.file(inode.getAsLong()).filter(found -> found.contents().contains(block));
    }
    if (file.isEmpty()) {
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
    OptionalInt index = parity.get().manifest().stripeOf(block);
    if (index.isEmpty()) {
      return Optional.empty();
    }
    Set<Block> blocks = blocks(parity.get(), index.getAsInt());
    NameNodeReadTokens tokens = new NameNodeReadTokens(fileSystem);
    tokens.grant(file.get(), blocks, opened);
    tokens.grant(parity.get().file(), blocks);
    Map<Long, LocatedFile> members = members(file.get(), block, parity.get(), blocks, tokens);
    ReaderLocation readerLocation = readerLocation(parity.get(), members.values());
    LocatedStripe stripe = locator.locate(parity.get(), members).get(index.getAsInt());
    for (StripeUnit unit : stripe.units()) {
      if (!stripe.codec().shape().isParity(unit.unit()) && holds(unit, block)) {
        StripeFiles files =
            new StripeFiles(
                namespace,
                this::catchUp,
                System::nanoTime,
                members.values(),
                parity.get().file(),
                blocks);
        DataNodes dataNodes = new HdfsDataNodes(fileSystem, blockPool, tokens);
        BadReplicaReports reports = new HdfsBadReplicaReports(fileSystem, blockPool);
        Suspicion suspicion =
            (suspect, replica, offset) ->
                suspects.suspect(suspect, replica, offset, dataNodes, files::now, reports);
        for (Replica replica : unit.located().orElseThrow().live()) {
          suspicion.of(block, replica, 0);
        }
        StripeRebuilder rebuilder =
            new StripeRebuilder(
                pace.timed(
                    new VerifiedReplicas(executor).of(stripe, dataNodes, files::now, reports)),
                executor,
                new NearestReplicas(readerLocation),
                memory,
                pace);
        return Optional.of(
            new Found(
                new LostBlock.Owner(file.get().inode(), file.get().contents().get(0)),
                contents(
                    path,
                    new LostUnit(rebuilder, stripe, unit.unit(), pace::isAvoided),
                    unit,
                    files,
                    suspicion,
                    readerLocation)));
      }
    }
    return Optional.empty();
  }

  /** Whether the file now at the path is the one that was opened there. */
  private static boolean isThe(LocatedFile found, OptionalLong inode, List<LocatedBlock> opened) {
    if (inode.isPresent()) {
      return inode.getAsLong() == found.inode();
    }
    return opened.isEmpty()
        || found.contents().contains(HadoopTypes.block(opened.get(0).getBlock()));
  }

  /** Returns the blocks of a stripe: those recorded of its data, and those of its parity. */
  private static Set<Block> blocks(ParityFile parity, int index) {
    Stripe stripe = parity.manifest().stripes().get(index);
    int parityUnits = stripe.parityCrcs().size();
    return Stream.concat(
            stripe.data().stream().map(DataUnit::block),
            parity.file().contents().stream().skip((long) index * parityUnits).limit(parityUnits))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the files whose blocks are in the stripe of the lost block, as far as this user may
   * read them. Files that the user may not read count as lost; the others may suffice.
   */
  private Map<Long, LocatedFile> members(
      LocatedFile file, Block lost, ParityFile parity, Set<Block> stripe, NameNodeReadTokens tokens)
      throws IOException {
    List<Callable<Optional<LocatedFile>>> questions = new ArrayList<>();
    for (long inode : parity.manifest().neighboursOf(lost)) {
      if (inode != file.inode()) {
        questions.add(() -> neighbour(inode, stripe, tokens));
      }
    }
    Map<Long, LocatedFile> members = new HashMap<>();
    members.put(file.inode(), file);
    for (Optional<LocatedFile> answer : all(questions)) {
      answer.ifPresent(neighbour -> members.put(neighbour.inode(), neighbour));
    }
    return members;
  }

  private Optional<LocatedFile> neighbour(long inode, Set<Block> stripe, NameNodeReadTokens tokens)
      throws IOException {
    try {
      Optional<LocatedFile> found = namespace.file(inode);
      if (found.isPresent()) {
        tokens.grant(found.get(), stripe);
      }
      return found;
    } catch (AccessControlException e) {
      LOG.debug("The file with inode id {} is not read on behalf of this user", inode, e);
      return Optional.empty();
    }
  }

  /** Asks the NameNode several questions at once. */
  private <T> List<T> all(List<Callable<T>> questions) throws IOException {
    List<T> answers = new ArrayList<>();
    try {
      for (Future<T> answer : executor.invokeAll(questions)) {
        answers.add(Interrupts.await(answer, "looking up a file of the stripe"));
      }
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for the NameNode", e);
    } catch (RejectedExecutionException e) {
      throw new IOException("No thread asks the NameNode: " + e.getMessage(), e);
    }
    return answers;
  }

  /** Returns the location of this machine relative to the nodes of the stripe's files. */
  private ReaderLocation readerLocation(ParityFile parity, Collection<LocatedFile> members) {
    return ReaderLocation.ofThisMachine(
        rack,
        Stream.concat(Stream.of(parity.file()), members.stream())
            .flatMap(file -> file.blocks().stream())
            .flatMap(block -> block.live().stream())
            .map(Replica::node)
            .toList());
  }

  private static boolean holds(StripeUnit unit, Block block) {
    return unit.state() != UnitState.CHANGED
        && unit.located().map(located -> located.block().equals(block)).orElse(false);
  }

  /** Has a replica looked at that could not be read from an offset on. */
  private interface Suspicion {
    void of(Block block, Replica replica, long offset);
  }

  private LostBlock.Contents contents(
      String path,
      LostUnit lost,
      StripeUnit unit,
      StripeFiles files,
      Suspicion suspicion,
      ReaderLocation readerLocation) {
    return new LostBlock.Contents() {
      @Override
      public void read(long offset, ByteBuffer target) throws IOException {
        int length = target.remaining();
        HelperReads reads;
        try {
          reads = lost.read(offset, target);
        } catch (UnrecoverableStripeException e) {
          for (Throwable helper : e.getSuppressed()) {
            if (helper instanceof HelperLostException failure) {
              suspect(failure.failed());
            }
          }
          throw e.at(path);
        }
        suspect(reads.failed());
        if (offset + length == unit.length()) {
          files.requireSameBlocks();
        } else {
          files.requireUnchanged();
        }
        Map<Distance, Long> byDistance = new EnumMap<>(Distance.class);
        reads
            .bytesFrom()
            .forEach(
                (node, bytes) ->
                    byDistance.merge(readerLocation.distanceTo(node), bytes, Long::sum));
        statistics.count(length, byDistance);
      }

      private void suspect(List<FailedReplica> failed) {
        failed.forEach(each -> suspicion.of(each.block(), each.replica(), each.offset()));
      }

      @Override
      public int rowBytes() {
        return lost.stripe().layout().rowBytes();
      }
    };
  }

  /** Makes observers catch up with the active NameNode before they answer the following calls. */
  private void catchUp() throws IOException {
    if (asksObservers) {
      fileSystem.msync();
    }
  }
}
