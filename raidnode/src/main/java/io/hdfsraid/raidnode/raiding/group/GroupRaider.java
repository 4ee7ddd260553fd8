// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.GroupMembers;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import io.hdfsraid.raidnode.raiding.core.ReplicationReduction;
import io.hdfsraid.raidnode.raiding.core.SourceCheck;
import io.hdfsraid.raidnode.raiding.core.SupersedingParity;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.core.WorkInProgress;
import io.hdfsraid.raidnode.raiding.file.ParityProof;
import io.hdfsraid.raidnode.raiding.file.ParityProver;
import io.hdfsraid.raidnode.raiding.file.ParitySeparation;
import io.hdfsraid.raidnode.raiding.file.Raider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Raids small files together, under parity that they share. The steps are those of {@link Raider},
 * for a group instead of one file. Safe for concurrent use; one task at a time works on a group.
 */
public final class GroupRaider {
  private final ClusterAccess cluster;
  private final Function<String, ErasureCodec> codecs;
  private final GroupEncoder encoder;
  private final ParityProver prover;
  private final ParitySeparation separation;
  private final SourceCheck sources;
  private final SupersedingParity superseding;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final Reductions reductions;
  private final ReplicationReduction reduction;
  private final StepListener steps;

  public GroupRaider(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      GroupEncoder encoder,
      ParityProver prover,
      ParitySeparation separation,
      Memberships memberships,
      WorkInProgress work) {
    this.cluster = cluster;
    this.codecs = codecs;
    this.encoder = encoder;
    this.prover = prover;
    this.separation = separation;
    this.sources = new SourceCheck(cluster.namespace());
    this.reduction = new ReplicationReduction(cluster);
    this.superseding = new SupersedingParity(cluster, memberships);
    this.unaudited = work.unaudited();
    this.inWork = work.files();
    this.reductions = work.reductions();
    this.steps = work.steps();
  }

  /**
   * Raids files together. Files that are unfit, or have another group key than most of the others,
   * are left out.
   *
   * @param minSavingPercent the least saving, in percent of what the files occupy now; a group that
   *     saves less is not made
   * @return the outcome of each file
   * @throws IOException if HDFS or the fence fails; trying again is safe
   */
  public GroupOutcome raid(
      Collection<Long> inodes, Protection protection, int minSavingPercent, RaidProgress progress)
      throws IOException {
    GroupId group = encoder.freshGroup();
    return inWork.alone(
        group.value(),
        () ->
            // The members are claimed, too: otherwise the same file could be encoded alone or in
            // two groups.
            inWork.allAlone(
                inodes, () -> raid(group, inodes, protection, minSavingPercent, progress)));
  }

  private GroupOutcome raid(
      GroupId group,
      Collection<Long> inodes,
      Protection protection,
      int minSavingPercent,
      RaidProgress progress)
      throws IOException {
    ErasureCodec codec = codecs.apply(protection.codec());
    Map<Long, RaidOutcome> outcomes = new TreeMap<>();
    List<LocatedFile> pinned = new ArrayList<>();
    for (long inode : inodes) {
      Optional<ParityFile> parity = superseding.inService(inode);
      if (parity.isPresent()) {
        outcomes.put(inode, RaidOutcome.alreadyRaided(parity.get()));
        continue;
      }
      try {
        pinned.add(sources.pin(inode, protection, codec));
      } catch (LeftAlone left) {
        outcomes.put(inode, RaidOutcome.left(FileState.LEFT, left));
      }
    }
    List<LocatedFile> akin = GroupKey.most(pinned, cluster.parity());
    for (LocatedFile other : pinned) {
      if (!akin.contains(other)) {
        outcomes.put(
            other.inode(),
            RaidOutcome.left(
                FileState.LEFT,
                new LeftAlone(
                    Reason.NO_COMPANY,
                    "It has other rights, replication or storage policy than most of the others")));
      }
    }
    steps.reached(RaidStep.PINNED, group.toString());
    try {
      GroupEncoder.Encoded encoded =
          encoder.encode(
              group,
              akin,
              protection,
              akin.isEmpty() ? 0 : akin.get(0).replication(),
              files -> GroupSaving.of(files, codec, protection).tooLittle(minSavingPercent),
              progress);
      encoded
          .leftOut()
          .forEach((inode, left) -> outcomes.put(inode, RaidOutcome.left(FileState.LEFT, left)));
      if (encoded.proof().isPresent()) {
        ParityProof proof = encoded.proof().get();
        hint(group, proof.parity());
        reduceWhenAdmitted(group, proof.parity(), () -> proof)
            .forEach(
                (inode, outcome) ->
                    outcomes.put(
                        inode, outcome.withEncoded(lengthOf(inode, proof.parity().manifest()))));
      }
    } catch (LeftAlone left) {
      akin.forEach(
          file -> outcomes.putIfAbsent(file.inode(), RaidOutcome.left(FileState.LEFT, left)));
    }
    return new GroupOutcome(group, outcomes);
  }

  private static long lengthOf(long inode, Manifest manifest) {
    return manifest.members().stream()
        .filter(member -> member.inode() == inode)
        .mapToLong(Member::length)
        .sum();
  }

  /** Tells the members their group, for readers. */
  void hint(GroupId group, ParityFile parity) throws IOException {
    for (Member member : parity.manifest().members()) {
      cluster.parity().hint(member.inode(), group);
    }
  }

  /** Gives the proof on which replication is lowered. */
  interface Proving {
    ParityProof prove() throws IOException, LeftAlone;
  }

  /** An earlier attempt ended after its commit: proven again, for hours may have passed. */
  Map<Long, RaidOutcome> reduceCommitted(GroupId group, ParityFile committed) throws IOException {
    return reduceWhenAdmitted(
        group,
        committed,
        () -> {
          hint(group, committed);
          Map<Long, LocatedFile> members = members(committed);
          ParityFile parity = separation.separate(committed, members);
          // Moves take their time, and replicas of the members may have come and gone.
          return prover.prove(parity, parity.equals(committed) ? members : members(committed));
        });
  }

  private Map<Long, LocatedFile> members(ParityFile parity) throws IOException {
    return GroupMembers.lookUp(cluster.namespace(), parity).intact();
  }

  private Map<Long, RaidOutcome> reduceWhenAdmitted(
      GroupId group, ParityFile parity, Proving proving) throws IOException {
    Manifest manifest = parity.manifest();
    if (!unaudited.admit(group.value(), manifest.stripes().size())) {
      return each(
          manifest,
          RaidOutcome.at(
                  FileState.COMMITTED,
                  "Waits until fewer stripes are unaudited (now %d)".formatted(unaudited.total()))
              .under(parity));
    }
    boolean mayBeReduced = false;
    try {
      reductions.begin(parity);
      ParityProof proof = proving.prove();
      requireReducible(group, proof);
      mayBeReduced = true; // also if the first answer is lost, or a later member has changed
      reduce(group, proof);
    } catch (LeftAlone left) {
      return each(manifest, RaidOutcome.left(FileState.COMMITTED, left).under(parity));
    } finally {
      if (!mayBeReduced) {
        unaudited.audited(group.value());
      }
    }
    cluster.parity().mark(group.value(), ParityPhase.REDUCED);
    steps.reached(RaidStep.MARKED, group.toString());
    return each(
        manifest,
        RaidOutcome.at(
                FileState.REDUCED,
                "%s: replication lowered from %d to %d; waits until the excess replicas are gone"
                    .formatted(
                        describe(group, manifest),
                        manifest.originalReplication(),
                        manifest.targetReplication()))
            .under(parity));
  }

  private void requireReducible(GroupId group, ParityProof proof) throws IOException, LeftAlone {
    for (Member member : proof.parity().manifest().members()) {
      hasOtherReplication(member.inode(), proof.parity().manifest());
    }
    requireWhole(group, proof);
  }

  /**
   * Lowers the replication of each member: the point of no return. Each member is checked once
   * more, and the fence is passed. The first member that is not as it was encoded ends the step,
   * because stripes with a changed member tolerate fewer losses. The group is then encoded again.
   */
  private void reduce(GroupId group, ParityProof proof) throws IOException, LeftAlone {
    Manifest manifest = proof.parity().manifest();
    for (Member member : manifest.members()) {
      if (!hasOtherReplication(member.inode(), manifest)) {
        cluster.fence().pass();
        reduction.lower(member.inode(), group.value(), manifest);
        steps.reached(RaidStep.REDUCED, "inode %d of %s".formatted(member.inode(), group));
      }
    }
    boolean stillThere =
        cluster
            .parity()
            .find(group.value())
            .filter(now -> now.file().inode() == proof.parity().file().inode())
            .isPresent();
    if (!stillThere) {
      for (Member member : manifest.members()) {
        if (cluster.namespace().file(member.inode()).isPresent()) {
          cluster.namespace().setReplication(member.inode(), manifest.originalReplication());
        }
      }
      unaudited.audited(group.value());
      throw new IOException(
          "The parity of %s vanished while the replication of its members was lowered; it was raised to %d again"
              .formatted(group, manifest.originalReplication()));
    }
  }

  /**
   * True for a member whose replication somebody else has chosen: it is not lowered.
   *
   * @throws LeftAlone when the member is not as it was encoded
   */
  private boolean hasOtherReplication(long inode, Manifest manifest) throws IOException, LeftAlone {
    try {
      sources.unchanged(inode, manifest);
      return false;
    } catch (LeftAlone left) {
      if (left.reason() == Reason.REPLICATION_CHANGED) {
        return true;
      }
      throw left;
    }
  }

  private void requireWhole(GroupId group, ParityProof proof) throws IOException, LeftAlone {
    Optional<ParityFile> now = cluster.parity().find(group.value());
    boolean whole =
        now.filter(file -> file.manifest().equals(proof.parity().manifest()))
            .filter(file -> file.file().contents().equals(proof.parity().file().contents()))
            .filter(file -> !file.file().hasLostBlocks())
            .isPresent();
    if (!whole) {
      throw new LeftAlone(
          Reason.PARITY_NOT_WHOLE,
          "The parity of %s is not the one that was verified, or a block of it is lost"
              .formatted(group));
    }
  }

  static Map<Long, RaidOutcome> each(Manifest manifest, RaidOutcome outcome) {
    Map<Long, RaidOutcome> outcomes = new TreeMap<>();
    manifest.members().forEach(member -> outcomes.put(member.inode(), outcome));
    return outcomes;
  }

  static String describe(GroupId group, Manifest manifest) {
    return "In %s of %d files, %d stripes"
        .formatted(group, manifest.members().size(), manifest.stripes().size());
  }
}
