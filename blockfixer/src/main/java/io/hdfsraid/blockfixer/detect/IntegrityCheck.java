// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Evaluates the stripes of a parity file from the answers of the NameNode. On request it also asks
 * the DataNode of every replica for a checksum, which finds losses before the NameNode knows them.
 * A checksum query cannot see bit rot; only a full read can. So faults found by scrubs are taken
 * into account. Safe for concurrent use.
 */
public final class IntegrityCheck {
  private final Namespace namespace;
  private final StripeLocator locator;
  private final DataNodes dataNodes;
  private final KnownFaults known;
  private final DetachedBlocks detached;
  private final Executor executor;

  /** Creates a check without results of scrubs. */
  public IntegrityCheck(
      Namespace namespace, StripeLocator locator, DataNodes dataNodes, Executor executor) {
    this(namespace, locator, dataNodes, KnownFaults.NONE, executor);
  }

  /** Creates a check that assumes that every block may exist. */
  public IntegrityCheck(
      Namespace namespace,
      StripeLocator locator,
      DataNodes dataNodes,
      KnownFaults known,
      Executor executor) {
    this(namespace, locator, dataNodes, known, DetachedBlocks.UNKNOWN, executor);
  }

  /**
   * @param known faults that scrubs have found
   * @param detached asked about blocks that their files do not contain any more
   * @param executor runs the requests to DataNodes and limits their number. If it is bounded, its
   *     threads must not call this check
   */
  public IntegrityCheck(
      Namespace namespace,
      StripeLocator locator,
      DataNodes dataNodes,
      KnownFaults known,
      DetachedBlocks detached,
      Executor executor) {
    this.namespace = namespace;
    this.locator = locator;
    this.dataNodes = dataNodes;
    this.known = known;
    this.detached = detached;
    this.executor = executor;
  }

  /**
   * Evaluates each stripe from the answers of the NameNode alone, without a request to a DataNode.
   */
  public List<StripeHealth> judge(ParityFile parity) throws IOException {
    return locate(parity).stream().map(this::judge).toList();
  }

  /** Evaluates a stripe from what the NameNode has shown of it. */
  public StripeHealth judge(LocatedStripe stripe) {
    return StripeJudge.judge(stripe, known.of(stripe));
  }

  /** Evaluates each stripe from the answers of the NameNode and the DataNodes. */
  public List<StripeHealth> check(ParityFile parity) throws IOException {
    List<StripeHealth> health = new ArrayList<>();
    for (LocatedStripe stripe : locate(parity)) {
      health.add(check(stripe));
    }
    return List.copyOf(health);
  }

  /**
   * Works as {@link #check(ParityFile)}, but only on the stripes in which these members have
   * blocks.
   */
  public List<StripeHealth> check(ParityFile parity, Set<Long> members) throws IOException {
    List<StripeHealth> health = new ArrayList<>();
    for (LocatedStripe stripe : locate(parity, members)) {
      health.add(check(stripe));
    }
    return List.copyOf(health);
  }

  /**
   * Evaluates a stripe from what the NameNode has shown of it and from the answers of its DataNodes
   * now.
   */
  public StripeHealth check(LocatedStripe stripe) throws IOException {
    List<CompletableFuture<Optional<UnitFinding>>> answers = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      if (unit.state() == UnitState.LIVE) {
        LocatedBlock located = unit.located().orElseThrow();
        for (Replica replica : located.live()) {
          answers.add(
              CompletableFuture.supplyAsync(() -> ask(stripe, unit, located, replica), executor));
        }
      }
    }
    List<UnitFinding> findings = new ArrayList<>();
    for (CompletableFuture<Optional<UnitFinding>> answer : answers) {
      await(answer).ifPresent(findings::add);
    }
    List<UnitFinding> asked = List.copyOf(findings);
    known.of(stripe).stream()
        .filter(fault -> asked.stream().noneMatch(finding -> isAboutTheSame(finding, fault)))
        .forEach(findings::add);
    return withoutWhatIsDeleted(StripeJudge.judge(stripe, findings), findings);
  }

  /**
   * Checks whether changed blocks still exist. A stripe with changed units is not called
   * unrecoverable, because a snapshot or another file may still hold the recorded block. The
   * NameNode is asked only if the answer matters.
   */
  private StripeHealth withoutWhatIsDeleted(StripeHealth health, List<UnitFinding> findings)
      throws IOException {
    if (health.state() != StripeHealth.State.UNKNOWN || health.lost().isEmpty()) {
      return health;
    }
    LocatedStripe stripe = health.stripe();
    Map<Long, StripeUnit> changed = new HashMap<>();
    for (StripeUnit unit : stripe.units()) {
      boolean isParity = stripe.codec().shape().isParity(unit.unit());
      if (unit.state() == UnitState.CHANGED && !isParity) {
        changed.put(unit.located().orElseThrow().block().id(), unit);
      }
    }
    if (changed.isEmpty()) {
      return health;
    }
    List<UnitFinding> all = new ArrayList<>(findings);
    changed.keySet().removeAll(detached.existing(changed.keySet()));
    for (StripeUnit unit : changed.values()) {
      Block block = unit.located().orElseThrow().block();
      all.add(
          new UnitFinding(
              unit.unit(),
              block,
              Optional.empty(),
              Fault.DELETED,
              DetectionSource.NAMENODE,
              "%s, unit %d of %s, no longer exists in any file or snapshot, says the NameNode"
                  .formatted(block, unit.unit(), stripe)));
    }
    return changed.isEmpty() ? health : StripeJudge.judge(stripe, all);
  }

  /**
   * Whether two findings concern the same replica. The present answer of a node overrides what was
   * read from it earlier.
   */
  private static boolean isAboutTheSame(UnitFinding one, UnitFinding other) {
    return one.unit() == other.unit() && one.replica().equals(other.replica());
  }

  /**
   * Works as {@link #check(LocatedStripe)}, but first reads replicas again in which scrubs have
   * found faults. For callers that act on the result.
   */
  public StripeHealth checkAgain(LocatedStripe stripe) throws IOException {
    known.confirm(stripe);
    return check(stripe);
  }

  /**
   * Returns the stripes of a parity file as HDFS shows them now.
   *
   * @throws InodeGoneException if the parity file itself is gone
   */
  public List<LocatedStripe> locate(ParityFile parity) throws IOException {
    return locate(parity, members(parity));
  }

  /**
   * Returns the stripes of a parity file that was found a moment ago, with the parity units where
   * they were then. Asks for the members only.
   */
  public List<LocatedStripe> locateMembers(ParityFile found) throws IOException {
    Set<Integer> all =
        IntStream.range(0, found.manifest().stripes().size()).boxed().collect(Collectors.toSet());
    return locateData(found, members(found), all);
  }

  private static Set<Long> members(ParityFile parity) {
    return parity.manifest().members().stream().map(Member::inode).collect(Collectors.toSet());
  }

  /**
   * Returns the stripes in which these members have blocks. Of the other members, only those that
   * share such a stripe are looked up.
   */
  public List<LocatedStripe> locate(ParityFile parity, Set<Long> wanted) throws IOException {
    Manifest manifest = parity.manifest();
    Set<Integer> indexes = new TreeSet<>();
    Set<Long> inodes = new TreeSet<>();
    for (int index = 0; index < manifest.stripes().size(); index++) {
      Set<Long> sharing = manifest.membersOf(manifest.stripes().get(index));
      if (!Collections.disjoint(sharing, wanted)) {
        indexes.add(index);
        inodes.addAll(sharing);
      }
    }
    return locate(parity, inodes, indexes);
  }

  /** Returns one stripe as HDFS shows it now. */
  public LocatedStripe locate(ParityFile parity, int index) throws IOException {
    Manifest manifest = parity.manifest();
    return locate(parity, manifest.membersOf(manifest.stripes().get(index)), Set.of(index)).get(0);
  }

  private List<LocatedStripe> locate(ParityFile parity, Set<Long> inodes, Set<Integer> indexes)
      throws IOException {
    LocatedFile file =
        namespace
            .file(parity.file().inode())
            .orElseThrow(() -> new InodeGoneException(parity.file().inode()));
    return locateData(new ParityFile(file, parity.manifest(), parity.phase()), inodes, indexes);
  }

  private List<LocatedStripe> locateData(ParityFile now, Set<Long> inodes, Set<Integer> indexes)
      throws IOException {
    Map<Long, LocatedFile> members = new HashMap<>();
    for (long inode : inodes) {
      namespace.file(inode).ifPresent(state -> members.put(inode, state));
    }
    List<LocatedStripe> stripes = wanted(indexes, locator.locate(now, members));
    Set<Block> missed = missed(stripes);
    if (missed.isEmpty()) {
      return stripes;
    }
    Map<Block, LocatedBlock> elsewhere = detached.locate(missed);
    return elsewhere.isEmpty() ? stripes : wanted(indexes, locator.locate(now, members, elsewhere));
  }

  private static List<LocatedStripe> wanted(Set<Integer> indexes, List<LocatedStripe> stripes) {
    return stripes.stream().filter(stripe -> indexes.contains(stripe.index())).toList();
  }

  /** Returns the recorded data blocks that their files do not contain. */
  private static Set<Block> missed(List<LocatedStripe> stripes) {
    return stripes.stream()
        .flatMap(stripe -> stripe.units().stream().limit(stripe.codec().shape().dataUnits()))
        .filter(unit -> unit.state() == UnitState.CHANGED)
        .flatMap(unit -> unit.located().stream())
        .map(LocatedBlock::block)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns what looks up single blocks of this parity. */
  public BlockLookup lookup(ParityFile parity) {
    return new BlockLookup(namespace, detached, parity);
  }

  private Optional<UnitFinding> ask(
      LocatedStripe stripe, StripeUnit unit, LocatedBlock located, Replica replica) {
    int crc;
    try {
      crc = checksum(located, replica);
    } catch (IOException e) {
      return Optional.of(
          finding(
              stripe,
              unit,
              replica,
              FaultClassifier.faultOf(e, DetectionSource.DATANODE_CHECKSUM),
              "its node did not give its checksum (%s)".formatted(e)));
    }
    return crc == unit.crc()
        ? Optional.empty()
        : Optional.of(
            finding(
                stripe,
                unit,
                replica,
                Fault.OTHER_CONTENT,
                "its CRC32C is %08x, but %08x was recorded".formatted(crc, unit.crc())));
  }

  private int checksum(LocatedBlock located, Replica replica) throws IOException {
    try {
      return dataNodes.checksum(located.block(), replica);
    } catch (IOException first) {
      // A node that is shutting down closes the connection, and so does a node without the replica.
      // Only a second failure is believed.
      return dataNodes.checksum(located.block(), replica);
    }
  }

  private static UnitFinding finding(
      LocatedStripe stripe, StripeUnit unit, Replica replica, Fault fault, String what) {
    LocatedBlock located = unit.located().orElseThrow();
    return new UnitFinding(
        unit.unit(),
        located.block(),
        Optional.of(replica),
        fault,
        DetectionSource.DATANODE_CHECKSUM,
        "%s on %s, unit %d of %s: %s"
            .formatted(located.block(), replica.node(), unit.unit(), stripe, what));
  }

  private static <T> T await(CompletableFuture<T> answer) throws IOException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while asking DataNodes for checksums")
              .initCause(e);
    } catch (ExecutionException e) {
      throw new IOException("Asking a DataNode for a checksum failed: " + e.getCause(), e);
    }
  }
}
