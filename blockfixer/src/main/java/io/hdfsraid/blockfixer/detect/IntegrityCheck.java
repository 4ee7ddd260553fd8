package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Judges the stripes of a parity file: takes the NameNode's word, and on request asks the DataNode
 * of every replica for its checksum, which finds what is gone before the NameNode knows. Blind to
 * rot: only a full read sees that, so what scrubs have found is believed. Safe for concurrent use.
 */
public final class IntegrityCheck {
  private final Namespace namespace;
  private final StripeLocator locator;
  private final DataNodes dataNodes;
  private final KnownFaults known;
  private final BlockExistence existence;
  private final Executor executor;

  /** A check that knows of no scrubs. */
  public IntegrityCheck(
      Namespace namespace, StripeLocator locator, DataNodes dataNodes, Executor executor) {
    this(namespace, locator, dataNodes, KnownFaults.NONE, executor);
  }

  /** A check that takes every block for one that may exist. */
  public IntegrityCheck(
      Namespace namespace,
      StripeLocator locator,
      DataNodes dataNodes,
      KnownFaults known,
      Executor executor) {
    this(namespace, locator, dataNodes, known, BlockExistence.UNKNOWN, executor);
  }

  /**
   * @param known what scrubs have found
   * @param existence asked only where it decides whether anything can be hoped for
   * @param executor runs the questions to DataNodes and bounds how many are asked at once; the
   *     threads that call this check must not be a bounded executor's own
   */
  public IntegrityCheck(
      Namespace namespace,
      StripeLocator locator,
      DataNodes dataNodes,
      KnownFaults known,
      BlockExistence existence,
      Executor executor) {
    this.namespace = namespace;
    this.locator = locator;
    this.dataNodes = dataNodes;
    this.known = known;
    this.existence = existence;
    this.executor = executor;
  }

  /** How each stripe stands by the NameNode's word alone; costs no question to a DataNode. */
  public List<StripeHealth> judge(ParityFile parity) throws IOException {
    return locate(parity).stream().map(this::judge).toList();
  }

  /** How a stripe stands by what the NameNode showed of it. */
  public StripeHealth judge(LocatedStripe stripe) {
    return StripeJudge.judge(stripe, known.of(stripe));
  }

  /** How each stripe stands by the word of NameNode and DataNodes. */
  public List<StripeHealth> check(ParityFile parity) throws IOException {
    List<StripeHealth> health = new ArrayList<>();
    for (LocatedStripe stripe : locate(parity)) {
      health.add(check(stripe));
    }
    return List.copyOf(health);
  }

  /** As {@link #check(ParityFile)}, but only the stripes that these members have blocks in. */
  public List<StripeHealth> check(ParityFile parity, Set<Long> members) throws IOException {
    List<StripeHealth> health = new ArrayList<>();
    for (LocatedStripe stripe : locate(parity, members)) {
      health.add(check(stripe));
    }
    return List.copyOf(health);
  }

  /** How a stripe stands by what the NameNode showed of it and what its DataNodes say now. */
  public StripeHealth check(LocatedStripe stripe) throws IOException {
    List<CompletableFuture<Optional<Finding>>> answers = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      if (unit.standing() == Standing.LIVE) {
        LocatedBlock located = unit.located().orElseThrow();
        for (Replica replica : located.live()) {
          answers.add(
              CompletableFuture.supplyAsync(() -> ask(stripe, unit, located, replica), executor));
        }
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (CompletableFuture<Optional<Finding>> answer : answers) {
      await(answer).ifPresent(findings::add);
    }
    List<Finding> asked = List.copyOf(findings);
    known.of(stripe).stream()
        .filter(fault -> asked.stream().noneMatch(finding -> isAboutTheSame(finding, fault)))
        .forEach(findings::add);
    return withoutWhatIsDeleted(StripeJudge.judge(stripe, findings), findings);
  }

  /**
   * What has changed keeps a stripe from being called unrecoverable, for a snapshot or another file
   * may still hold the recorded block. Where that decides, it is asked for.
   */
  private StripeHealth withoutWhatIsDeleted(StripeHealth health, List<Finding> findings)
      throws IOException {
    if (health.state() != StripeHealth.State.UNKNOWN || health.lost().isEmpty()) {
      return health;
    }
    LocatedStripe stripe = health.stripe();
    Map<Long, StripeUnit> changed = new HashMap<>();
    for (StripeUnit unit : stripe.units()) {
      boolean isParity = stripe.codec().shape().isParity(unit.unit());
      if (unit.standing() == Standing.CHANGED && !isParity) {
        changed.put(unit.located().orElseThrow().block().id(), unit);
      }
    }
    if (changed.isEmpty()) {
      return health;
    }
    List<Finding> all = new ArrayList<>(findings);
    changed.keySet().removeAll(existence.existing(changed.keySet()));
    for (StripeUnit unit : changed.values()) {
      Block block = unit.located().orElseThrow().block();
      all.add(
          new Finding(
              unit.unit(),
              block,
              Optional.empty(),
              Fault.DELETED,
              Source.NAMENODE,
              "%s, unit %d of %s, exists in no file and no snapshot any more, says the NameNode"
                  .formatted(block, unit.unit(), stripe)));
    }
    return changed.isEmpty() ? health : StripeJudge.judge(stripe, all);
  }

  /** What the node says now counts more than what was read from it some time ago. */
  private static boolean isAboutTheSame(Finding one, Finding other) {
    return one.unit() == other.unit() && one.replica().equals(other.replica());
  }

  /**
   * As {@link #check(LocatedStripe)}, but what scrubs have found is read again: for whoever is
   * about to do something about it.
   */
  public StripeHealth checkAgain(LocatedStripe stripe) throws IOException {
    known.confirm(stripe);
    return check(stripe);
  }

  /**
   * The stripes of a parity file as HDFS shows them now.
   *
   * @throws InodeGoneException when the parity file itself is gone
   */
  public List<LocatedStripe> locate(ParityFile parity) throws IOException {
    return locate(
        parity,
        parity.manifest().members().stream().map(Member::inode).collect(Collectors.toSet()));
  }

  /**
   * The stripes in which these members have blocks; of the others only those are asked for that
   * share one with them.
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

  /** One stripe as HDFS shows it now. */
  public LocatedStripe locate(ParityFile parity, int index) throws IOException {
    Manifest manifest = parity.manifest();
    return locate(parity, manifest.membersOf(manifest.stripes().get(index)), Set.of(index)).get(0);
  }

  private List<LocatedStripe> locate(ParityFile parity, Set<Long> inodes, Set<Integer> indexes)
      throws IOException {
    FileState file =
        namespace
            .file(parity.file().inode())
            .orElseThrow(() -> new InodeGoneException(parity.file().inode()));
    Map<Long, FileState> members = new HashMap<>();
    for (long inode : inodes) {
      namespace.file(inode).ifPresent(state -> members.put(inode, state));
    }
    return locator.locate(new ParityFile(file, parity.manifest(), parity.phase()), members).stream()
        .filter(stripe -> indexes.contains(stripe.index()))
        .toList();
  }

  private Optional<Finding> ask(
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
              NodeAnswer.faultOf(e, Source.DATANODE_CHECKSUM),
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
      // A node that is shutting down hangs up just as one does that has no such replica: only one
      // that does it twice is believed.
      return dataNodes.checksum(located.block(), replica);
    }
  }

  private static Finding finding(
      LocatedStripe stripe, StripeUnit unit, Replica replica, Fault fault, String what) {
    LocatedBlock located = unit.located().orElseThrow();
    return new Finding(
        unit.unit(),
        located.block(),
        Optional.of(replica),
        fault,
        Source.DATANODE_CHECKSUM,
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
