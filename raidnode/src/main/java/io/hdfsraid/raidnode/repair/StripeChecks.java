// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the stripes of files and groups, and records what it finds in the repair ledger. A check
 * goes by the word of the NameNode, which costs one call a file, or also asks the DataNode of every
 * replica. Safe for concurrent use.
 */
public final class StripeChecks {
  /** How many files that are being unraided are looked through for one that was deleted. */
  private static final int MOST_UNRAIDING = 10_000;

  private final ParityStore parity;
  private final Namespace namespace;
  private final IntegrityCheck check;
  private final ReconcileJob reconciler;
  private final Catalog catalog;
  private final StripeHealthRecorder recorder;

  public StripeChecks(
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      ReconcileJob reconciler,
      Catalog catalog,
      StripeHealthRecorder recorder) {
    this.parity = parity;
    this.namespace = namespace;
    this.check = check;
    this.reconciler = reconciler;
    this.catalog = catalog;
    this.recorder = recorder;
  }

  /**
   * Asks the DataNodes about the stripes of a file, and records their health.
   *
   * @param inode of a file, or the id of a group: for a file in a group, the stripes that hold
   *     blocks of the file
   * @return empty if the file has no parity
   */
  public List<StripeHealth> check(long inode) throws IOException {
    List<StripeHealth> stripes = look(inode);
    stripes.forEach(health -> recorder.record(reconciler.parityOf(inode), health));
    return stripes;
  }

  /** Asks as {@link #check(long)} does, but records nothing, so nothing will be repaired. */
  public List<StripeHealth> look(long inode) throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(inode));
    if (found.isEmpty()) {
      return List.of();
    }
    return GroupId.isGroup(inode)
        ? check.check(found.get())
        : check.check(found.get(), Set.of(inode));
  }

  /** Checks one stripe as {@link #check(long)} does; empty if there is none of this index. */
  public Optional<StripeHealth> check(long inode, int index) throws IOException {
    Optional<StripeHealth> stripe = look(inode, index);
    stripe.ifPresent(health -> recorder.record(reconciler.parityOf(inode), health));
    return stripe;
  }

  /** Asks about one stripe as {@link #look(long)} does; empty if there is none of this index. */
  public Optional<StripeHealth> look(long inode, int index) throws IOException {
    Optional<ParityFile> found =
        parity
            .find(reconciler.parityOf(inode))
            .filter(file -> index < file.manifest().stripes().size());
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(check.check(check.locate(found.get(), index)));
  }

  /** Returns what the ledger knows of one stripe. */
  public Optional<RepairState> known(long inode, int index) throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(inode));
    return found.isEmpty()
        ? Optional.empty()
        : catalog.repairs().find(new StripeKey(found.get().file().inode(), index));
  }

  /**
   * Returns the id of the parity of the file at a path, or of the parity file itself. The file may
   * be deleted, and its blocks held by a snapshot.
   */
  Optional<Long> parityAt(String path) throws IOException {
    Optional<Long> source = parity.sourceOf(path);
    if (source.isPresent()) {
      return source;
    }
    Optional<Long> live = namespace.file(path).map(LocatedFile::inode);
    return (live.isPresent() ? live : deletedAt(path)).map(reconciler::parityOf);
  }

  /** Looks among the files that are being unraided, of which those that wait for a snapshot are. */
  private Optional<Long> deletedAt(String path) {
    List<Long> found = new ArrayList<>();
    int[] visited = {0};
    catalog
        .files()
        .withStatus(
            FileState.UNRAIDING,
            -1,
            file -> {
              if (file.facts().path().equals(path)) {
                found.add(file.inode());
              }
              return found.isEmpty() && ++visited[0] < MOST_UNRAIDING;
            });
    return found.stream().findFirst();
  }

  /**
   * Returns whether there is parity in service.
   *
   * @param id of parity, see {@link ReconcileJob#parityOf}
   */
  boolean hasParity(long id) throws IOException {
    return parity.find(id).isPresent();
  }

  /** Returns the DataNodes that are silent now, see {@link #judge}. */
  Set<DataNode> silentNodes() throws IOException {
    return SilentNodesJob.nodes(namespace.staleNodes(SilentNodesJob.SILENCE));
  }

  /**
   * Checks those stripes of which the NameNode knows a block to be lost: a file may have thousands
   * of stripes.
   *
   * @param id of parity, see {@link ReconcileJob#parityOf}
   */
  void checkLost(long id) throws IOException {
    Optional<ParityFile> found = parity.find(id);
    if (found.isEmpty()) {
      return;
    }
    for (LocatedStripe stripe : check.locate(found.get())) {
      if (!stripe.lost().isEmpty()) {
        recorder.record(id, check.check(stripe));
      }
    }
  }

  /**
   * Judges the stripes with this parity by the word of the NameNode. The NameNode may not know of a
   * loss that is in the ledger, nor that silent nodes are dead. So the DataNodes are asked as well
   * about a stripe that is in the ledger, or that would tolerate no further loss without the silent
   * nodes.
   */
  void judge(long id, Set<DataNode> silent) throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(id));
    if (found.isEmpty()) {
      return;
    }
    for (LocatedStripe stripe : check.locateMembers(found.get())) {
      boolean doubtful =
          catalog.repairs().find(StripeHealthRecorder.key(stripe)).isPresent()
              || isAtRiskWithout(silent, stripe);
      recorder.record(id, doubtful ? check.check(stripe) : check.judge(stripe));
    }
  }

  /** Asks the DataNodes about a stripe of the ledger if it has a unit on these nodes alone. */
  void checkIfOn(Set<DataNode> nodes, RepairState known) throws IOException {
    Optional<ParityFile> found =
        parity
            .find(known.inode())
            .filter(file -> file.file().inode() == known.stripe().parityInode());
    if (found.isPresent()) {
      LocatedStripe stripe = check.locate(found.get(), known.stripe().index());
      if (!onlyOn(nodes, stripe).isEmpty()) {
        recorder.record(known.inode(), check.check(stripe));
      }
    }
  }

  /** Whether a stripe would tolerate no further loss if it had nothing on these nodes. */
  private static boolean isAtRiskWithout(Set<DataNode> nodes, LocatedStripe stripe) {
    UnitSet there = onlyOn(nodes, stripe);
    return !there.isEmpty()
        && stripe.codec().furtherLosses(stripe.lost().plus(stripe.changed()).plus(there)) <= 0;
  }

  /** Returns the units that have all their replicas on these nodes. */
  private static UnitSet onlyOn(Set<DataNode> nodes, LocatedStripe stripe) {
    return nodes.isEmpty()
        ? UnitSet.none()
        : UnitSet.of(
            stripe.units().stream()
                .filter(unit -> unit.state() == UnitState.LIVE)
                .filter(
                    unit ->
                        unit.located().orElseThrow().live().stream()
                            .allMatch(replica -> nodes.contains(replica.node())))
                .mapToInt(StripeUnit::unit));
  }
}
