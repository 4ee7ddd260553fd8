// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.LostForGood;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Lets parity be retired although blocks of a file are lost that nothing can rebuild. Otherwise the
 * parity waits for them for ever. Only the parity is changed, and it goes to quarantine when every
 * other block has its replicas. Until then, and in quarantine, it is asked again each time whether
 * the blocks are still lost for good: if a DataNode brings units back, they are repaired. Only the
 * blocks that were lost at that time are given up, and not those that the file loses later.
 */
public final class Abandonment {
  private final ClusterAccess cluster;
  private final LostForGood lost;
  private final Memberships memberships;
  private final FilesInWork inWork;
  private final Clock clock;

  public Abandonment(
      ClusterAccess cluster,
      LostForGood lost,
      Memberships memberships,
      FilesInWork inWork,
      Clock clock) {
    this.cluster = cluster;
    this.lost = lost;
    this.memberships = memberships;
    this.inWork = inWork;
    this.clock = clock;
  }

  /**
   * Whether a file may be abandoned now.
   *
   * @param blocks how many blocks it has
   * @param lostBlocks ids of the blocks that have no replica
   * @param refused why it may not be abandoned; empty if it may
   */
  public record Verdict(int blocks, Set<Long> lostBlocks, Optional<String> refused) {
    /** Returns the same with a reason why it may not be abandoned. */
    public Verdict because(String why) {
      return new Verdict(blocks, lostBlocks, Optional.of(why));
    }
  }

  /** Returns whether a file may be abandoned, and changes nothing. */
  public Verdict verdict(LocatedFile file) throws IOException {
    return verdict(file, find(file.inode()));
  }

  /**
   * Abandons a file if that may be. What was abandoned before with the same parity is confirmed
   * anew; what is not lost for good any more is not abandoned any more.
   *
   * @throws FileInWorkException when another task works on its parity
   */
  public Verdict abandon(LocatedFile file) throws IOException {
    return inWork.alone(
        idOf(file.inode()),
        () -> {
          Optional<ParityFile> parity = find(file.inode());
          Optional<LocatedFile> now = cluster.namespace().file(file.inode());
          if (now.isEmpty()) {
            return new Verdict(0, Set.of(), Optional.of("It was deleted in this moment"));
          }
          // Before the look: whoever dies during it was heard of after this time.
          Instant confirmed = clock.instant();
          Verdict verdict = verdict(now.get(), parity);
          if (verdict.refused().isEmpty()) {
            Set<Long> blocks = new TreeSet<>(lost.abandoned(parity.orElseThrow()));
            blocks.addAll(verdict.lostBlocks());
            if (blocks.size() > AbandonedBlocks.MOST) {
              return verdict.because(tooMany(blocks.size()));
            }
            cluster.fence().pass();
            cluster.parity().abandon(idOf(file.inode()), new AbandonedBlocks(blocks, confirmed));
          }
          return verdict;
        });
  }

  /**
   * Returns the members of a parity that have lost blocks for good that are not abandoned, with the
   * ids of these blocks.
   *
   * @param id the inode id of a file, or the id of a group
   */
  public Map<Long, Set<Long>> awaited(long id) throws IOException {
    Optional<ParityFile> parity = cluster.parity().find(id);
    if (parity.isEmpty()) {
      return Map.of();
    }
    Set<Long> members =
        parity.get().manifest().members().stream().map(Member::inode).collect(Collectors.toSet());
    Map<Long, Set<Long>> blocks = lost.of(parity.get(), members);
    blocks.values().forEach(ids -> ids.removeAll(parity.get().abandoned().ids()));
    blocks.values().removeIf(Set::isEmpty);
    return blocks;
  }

  private Verdict verdict(LocatedFile file, Optional<ParityFile> parity) throws IOException {
    Set<Long> lostBlocks =
        file.blocks().stream()
            .filter(LocatedBlock::isLost)
            .map(located -> located.block().id())
            .collect(Collectors.toCollection(TreeSet::new));
    Verdict verdict = new Verdict(file.blocks().size(), lostBlocks, Optional.empty());
    if (parity.isEmpty()) {
      return verdict.because("It has no parity, so nothing waits for it");
    }
    if (parity.get().phase() != ParityPhase.UNRAIDING) {
      return verdict.because(
          "Its parity is still in service; 'raidshell unraid --all' must come to it first");
    }
    if (lostBlocks.isEmpty()) {
      return verdict.because(
          "The NameNode lists a replica of each of its blocks, so none is known to be lost");
    }
    Optional<String> unknown = lost.unknownBecause();
    if (unknown.isPresent()) {
      return verdict.because(unknown.get());
    }
    AbandonedBlocks before = parity.get().abandoned();
    if (before.ids().containsAll(lostBlocks)
        && lost.doubtfulBecause(before.confirmed()).isEmpty()) {
      return verdict.because("It is abandoned already");
    }
    if (lostBlocks.size() > AbandonedBlocks.MOST) {
      return verdict.because(tooMany(lostBlocks.size()));
    }
    Set<Long> open = new TreeSet<>(lostBlocks);
    open.removeAll(
        lost.of(parity.get(), Set.of(file.inode())).getOrDefault(file.inode(), Set.of()));
    return open.isEmpty()
        ? verdict
        : verdict.because(
            "blk_%d can still be rebuilt, or it is not known whether it can; 'raidshell repair' tries it"
                .formatted(open.iterator().next()));
  }

  private static String tooMany(int blocks) {
    return "%d blocks are lost, and at most %d can be abandoned with one parity; copy out what is left with 'raidshell recover' and delete the file"
        .formatted(blocks, AbandonedBlocks.MOST);
  }

  private Optional<ParityFile> find(long inode) throws IOException {
    return cluster.parity().find(idOf(inode));
  }

  private long idOf(long inode) {
    return memberships.groupOf(inode).map(GroupId::value).orElse(inode);
  }
}
