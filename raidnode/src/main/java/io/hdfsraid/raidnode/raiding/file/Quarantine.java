// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.LostForGood;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.ReturnStep;
import io.hdfsraid.raidnode.raiding.core.SourceCheck;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Retired parity that is kept for a while. It is purged only when each recorded block either no
 * longer exists or has all its replicas. It goes back into service only if it still matches its
 * file block by block. Safe for concurrent use.
 */
public final class Quarantine {
  /** A block that should have more and has fewer live replicas than this is in danger. */
  private static final int SAFE_REPLICAS = 2;

  private final ClusterAccess cluster;
  private final LostForGood lost;
  private final Memberships memberships;
  private final Duration keep;
  private final FilesInWork inWork;
  private final StepListener steps;

  /**
   * @param keep how long retired parity is kept before the janitor purges it
   */
  public Quarantine(
      ClusterAccess cluster,
      LostForGood lost,
      Memberships memberships,
      Duration keep,
      FilesInWork inWork,
      StepListener steps) {
    this.cluster = cluster;
    this.lost = lost;
    this.memberships = memberships;
    this.keep = keep;
    this.inWork = inWork;
    this.steps = steps;
  }

  /** Visits parity in quarantine; it may take the parity out meanwhile. */
  @FunctionalInterface
  public interface Visitor {
    void visit(ParityFile kept) throws IOException;
  }

  /**
   * Calls back with everything in quarantine, one after another, in no particular order; there may
   * be more than fits into memory. What is thrown ends it.
   */
  public void forEach(Visitor visitor) throws IOException {
    try {
      cluster
          .parity()
          .forEachQuarantined(
              kept -> {
                try {
                  visitor.visit(kept);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Everything in quarantine that was the parity with this id; usually nothing or one. */
  public List<ParityFile> of(long id) throws IOException {
    return cluster.parity().quarantined(id);
  }

  /** The id that the parity had in service: of its file, or of its group. */
  public long idOf(ParityFile kept) {
    return cluster.parity().idOf(kept);
  }

  /** From when on the janitor may purge it, if nothing needs it. */
  public Instant due(ParityFile kept) {
    return kept.file().modified().plus(keep);
  }

  /**
   * Whether the janitor may purge it now, if nothing needs it. If the parity was put here by a
   * clock that was ahead, its time begins anew: nobody knows how long it has been here, and the
   * time that it carries may be a year away.
   */
  boolean isDue(ParityFile kept, Instant now) throws IOException {
    if (kept.file().modified().isAfter(now)) {
      cluster.fence().pass();
      cluster.parity().stampAnew(kept);
      return false;
    }
    return !due(kept).isAfter(now);
  }

  /** Returns the inode of the file that the parity protected; for a group, of its first member. */
  public static long inodeOf(ParityFile kept) {
    return kept.manifest().members().get(0).inode();
  }

  /**
   * Why it must not be purged; empty when each recorded block is gone, has all its replicas, is
   * abandoned and surely lost for good, or is under other parity by now: its file was raided again,
   * the group has a successor, or the file that it was concatenated onto was raided. Asks fsck for
   * every recorded block, because only that sees snapshots and files that took the blocks over.
   */
  public Optional<String> neededBecause(ParityFile kept) throws IOException {
    Manifest manifest = kept.manifest();
    Set<Long> abandoned = lost.abandoned(kept);
    Map<Long, Integer> fewer = Map.of();
    boolean reliesOnAbandoned = false;
    for (Map.Entry<Long, BlockHolders.Holder> held :
        cluster.holders().holders(blocks(kept)).entrySet()) {
      int live = held.getValue().liveReplicas();
      if (live >= manifest.originalReplication()) {
        continue;
      }
      if (abandoned.contains(held.getKey())) {
        reliesOnAbandoned = true;
        continue;
      }
      if (fewer.isEmpty()) {
        fewer = enough(manifest);
      }
      int enough = fewer.getOrDefault(held.getKey(), manifest.originalReplication());
      if (live < enough && !isUnderParityOfTarget(held.getKey(), held.getValue().path())) {
        return Optional.of(
            "blk_%d of %s has %d live replicas, not %d"
                .formatted(held.getKey(), held.getValue().path(), live, enough));
      }
    }
    return reliesOnAbandoned
        ? lost.doubtfulBecause(kept.abandoned().confirmed())
        : Optional.empty();
  }

  private static List<Long> blocks(ParityFile parity) {
    return parity.manifest().stripes().stream()
        .flatMap(stripe -> stripe.data().stream())
        .map(unit -> unit.block().id())
        .toList();
  }

  /**
   * Returns how many replicas are enough, by inode, for files that need fewer than they had. A user
   * may have set another replication since the file was unraided: that is enough unless it is the
   * one that raiding had set. And a block that other parity protects no longer needs this parity.
   */
  private Map<Long, Integer> enough(Manifest manifest) throws IOException {
    Map<Long, Integer> enough = new HashMap<>();
    for (Member member : manifest.members()) {
      cluster
          .namespace()
          .file(member.inode())
          .filter(file -> file.replication() > manifest.targetReplication())
          .ifPresent(
              file ->
                  file.contents()
                      .forEach(
                          block ->
                              enough.put(
                                  block.id(),
                                  Math.min(file.replication(), manifest.originalReplication()))));
    }
    underOtherParity(manifest.members().stream().map(Member::inode).toList())
        .forEach(block -> enough.put(block, 0));
    return enough;
  }

  /** A block of a concat is in another file than the one that it was recorded for. */
  private boolean isUnderParityOfTarget(long block, String path) throws IOException {
    Optional<LocatedFile> target =
        cluster
            .namespace()
            .file(path)
            .filter(file -> file.contents().stream().anyMatch(part -> part.id() == block));
    return target.isPresent() && underOtherParity(List.of(target.get().inode())).contains(block);
  }

  /** Blocks of these files that committed parity protects, whole and not on its way out. */
  private Set<Long> underOtherParity(Collection<Long> inodes) throws IOException {
    Set<Long> ids = new HashSet<>(inodes);
    for (long inode : inodes) {
      memberships.groupOf(inode).ifPresent(group -> ids.add(group.value()));
    }
    Set<Long> blocks = new HashSet<>();
    for (long id : ids) {
      cluster
          .parity()
          .find(id)
          .filter(other -> other.phase() != ParityPhase.UNRAIDING && !other.file().hasLostBlocks())
          .ifPresent(other -> blocks.addAll(blocks(other)));
    }
    return blocks;
  }

  /**
   * Deletes it for good, unless something needs it.
   *
   * @return why it was kept; empty when it is gone
   */
  public Optional<String> purge(ParityFile kept) throws IOException {
    try {
      return inWork.alone(idOf(kept), () -> purgeUnlessNeeded(kept));
    } catch (FileInWorkException e) {
      return Optional.of("another task works on it");
    }
  }

  private Optional<String> purgeUnlessNeeded(ParityFile kept) throws IOException {
    Optional<String> need = neededBecause(kept);
    if (need.isEmpty()) {
      long id = idOf(kept);
      cluster.fence().pass();
      cluster.parity().purge(kept);
      // The group may have been put back into service from another file of the quarantine.
      if (GroupId.isGroup(id) && cluster.parity().find(id).isEmpty()) {
        memberships.left(new GroupId(id), membersOf(kept));
      }
      steps.reached(UnraidStep.PURGED, kept.file().path());
    }
    return need;
  }

  private static List<Long> membersOf(ParityFile parity) {
    return parity.manifest().members().stream().map(Member::inode).toList();
  }

  /**
   * Why it cannot go back into service; empty when it fits its file, or all files of its group, and
   * nothing is in its place.
   */
  public Optional<String> unfitBecause(ParityFile kept) throws IOException {
    for (long inode : membersOf(kept)) {
      String subject = subject(inode, kept);
      Optional<LocatedFile> source = cluster.namespace().file(inode);
      if (source.isEmpty()) {
        return Optional.of(subject + " is gone");
      }
      if (source.get().underConstruction()) {
        return Optional.of(subject + " is open for writing");
      }
      if (!SourceCheck.matches(source.get(), kept.manifest())) {
        return Optional.of(subject + " has other blocks than those it was made of");
      }
    }
    return replacedBecause(kept);
  }

  /**
   * Nothing may be under two parities: to let the one go would raise the replication of what the
   * other protects.
   */
  private Optional<String> replacedBecause(ParityFile kept) throws IOException {
    Set<Long> groups = new HashSet<>();
    groups.add(idOf(kept));
    for (long inode : membersOf(kept)) {
      Optional<Long> group = memberships.groupOf(inode).map(GroupId::value);
      boolean inAGroup =
          group.isPresent()
              && groups.add(group.get())
              && cluster
                  .parity()
                  .find(group.get())
                  .filter(other -> membersOf(other).contains(inode))
                  .isPresent();
      if (inAGroup || cluster.parity().find(inode).isPresent()) {
        return Optional.of(subject(inode, kept) + " has other parity now");
      }
    }
    return Optional.empty();
  }

  private static String subject(long inode, ParityFile kept) {
    return kept.manifest().members().size() == 1 ? "its file" : "its member inode " + inode;
  }

  /**
   * Puts parity back into service as if it had just been committed: it is proven anew, then the
   * replication of its file is lowered again.
   *
   * @return why it was left in quarantine; empty when it is in service
   */
  public Optional<String> restore(ParityFile kept) throws IOException {
    return takeBack(kept, ParityPhase.COMMITTED, () -> unfitBecause(kept));
  }

  /**
   * Puts parity back into service when a block of its file has lost the replicas it should have:
   * then this parity may be all that can rebuild it. It stays on its way out, so that it returns to
   * quarantine by itself when every block has all its replicas again.
   *
   * @return the danger, in words, when it was put back
   */
  public Optional<String> reviveWhenNeeded(ParityFile kept) throws IOException {
    Optional<String> danger = dangerTo(kept);
    // A changed or deleted member of a group costs its stripes only its own units. The other units
    // may still be rebuilt.
    Fitness fitness =
        GroupId.isGroup(idOf(kept)) ? () -> replacedBecause(kept) : () -> unfitBecause(kept);
    return danger.isPresent() && takeBack(kept, ParityPhase.UNRAIDING, fitness).isEmpty()
        ? danger
        : Optional.empty();
  }

  /** As {@link #reviveWhenNeeded(ParityFile)} for the parity of this id that fits, if any. */
  public Optional<String> reviveWhenNeeded(long id) throws IOException {
    for (ParityFile kept : of(id)) {
      Optional<String> revived = reviveWhenNeeded(kept);
      if (revived.isPresent()) {
        return revived;
      }
    }
    return Optional.empty();
  }

  private Optional<String> dangerTo(ParityFile kept) throws IOException {
    int original = kept.manifest().originalReplication();
    Set<Long> abandoned = lost.abandoned(kept);
    Set<Block> recorded = new HashSet<>();
    kept.manifest().stripes().forEach(s -> s.data().forEach(unit -> recorded.add(unit.block())));
    for (long inode : membersOf(kept)) {
      Optional<LocatedFile> source = cluster.namespace().file(inode);
      if (source.isPresent()) {
        int wanted = Math.min(original, source.get().replication());
        Optional<LocatedBlock> endangered =
            source.get().blocks().stream()
                .filter(block -> recorded.contains(block.block()))
                .filter(block -> !abandoned.contains(block.block().id()))
                .filter(block -> block.live().size() < Math.min(wanted, SAFE_REPLICAS))
                .findFirst();
        if (endangered.isPresent()) {
          return Optional.of(describe(endangered.get(), wanted));
        }
      }
    }
    return Optional.empty();
  }

  private static String describe(LocatedBlock block, int wanted) {
    return "%s has %d live replicas of %d".formatted(block.block(), block.live().size(), wanted);
  }

  /**
   * Returns why parity cannot be taken back into service. It is asked while no other task works on
   * the parity.
   */
  @FunctionalInterface
  private interface Fitness {
    Optional<String> unfitBecause() throws IOException;
  }

  private Optional<String> takeBack(ParityFile kept, ParityPhase phase, Fitness fitness)
      throws IOException {
    long id = idOf(kept);
    String subject = GroupId.isGroup(id) ? new GroupId(id).toString() : "inode " + id;
    String[] refused = {""};
    inWork.alone(
        id,
        () -> {
          Optional<String> unfit = fitness.unfitBecause();
          if (unfit.isPresent()) {
            refused[0] = unfit.get();
            return RaidOutcome.at(FileState.LEFT, unfit.get());
          }
          cluster.fence().pass();
          if (GroupId.isGroup(id)) {
            memberships.joined(new GroupId(id), membersOf(kept));
          }
          if (!cluster.parity().restore(kept)) {
            refused[0] = "it is not in quarantine any more";
            return RaidOutcome.at(FileState.LEFT, refused[0]);
          }
          steps.reached(ReturnStep.REPLACED, subject);
          if (phase != kept.phase()) {
            cluster.parity().mark(id, phase);
            steps.reached(ReturnStep.REINSTATED, subject);
          }
          return RaidOutcome.at(FileState.COMMITTED, "");
        });
    return Optional.of(refused[0]).filter(why -> !why.isEmpty());
  }
}
