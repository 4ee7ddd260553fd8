// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.BlockCover;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.GroupMembers;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.LostForGood;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import io.hdfsraid.raidnode.raiding.core.SupersedingParity;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.raidnode.raiding.core.WorkInProgress;
import io.hdfsraid.raidnode.raiding.file.Auditor;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reconciles groups: takes a group to its next stage, and reacts to what users have done to its
 * members. {@link FileReconciler} and {@link Unraider} do the same for files with parity of their
 * own.
 *
 * <p>If a member is deleted or changed, its stripes lose its blocks and tolerate fewer losses from
 * then on. The reconciler reacts in three steps:
 *
 * <ol>
 *   <li>It raises the replication of the blocks that the member still has. If a stripe does not
 *       tolerate another loss, it raises the replication of all members of the stripe.
 *   <li>It encodes the remaining members again as the <i>successor</i> of the group. The successor
 *       has the next number, by which it is found again after a crash.
 *   <li>It moves the old parity to quarantine when the successor is audited and no living file
 *       depends on the old parity.
 * </ol>
 *
 * <p>From the moment a change is noticed, each block has its replicas or live parity. The exception
 * is a quota that refuses the replicas. Safe for concurrent use; one task at a time works on a
 * group.
 */
public final class GroupReconciler {
  private final ClusterAccess cluster;
  private final Function<String, ErasureCodec> codecs;
  private final GroupRaider raider;
  private final GroupEncoder encoder;
  private final Auditor auditor;
  private final GroupReplicas replicas;
  private final GroupRisk risk;
  private final LostForGood lost;
  private final Memberships memberships;
  private final SupersedingParity superseding;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final Reductions reductions;
  private final StepListener steps;

  public GroupReconciler(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      GroupRaider raider,
      GroupEncoder encoder,
      Auditor auditor,
      LostForGood lost,
      Memberships memberships,
      WorkInProgress work) {
    this.cluster = cluster;
    this.lost = lost;
    this.codecs = codecs;
    this.raider = raider;
    this.encoder = encoder;
    this.auditor = auditor;
    this.risk = new GroupRisk(new StripeLocator(codecs));
    this.memberships = memberships;
    this.superseding = new SupersedingParity(cluster, memberships);
    this.replicas = new GroupReplicas(cluster, superseding, work.reports());
    this.unaudited = work.unaudited();
    this.inWork = work.files();
    this.reductions = work.reductions();
    this.steps = work.steps();
  }

  /** Returns the group with this parity id, or the known group of the file with this inode id. */
  public Optional<GroupId> groupOf(long id) {
    return GroupId.isGroup(id) ? Optional.of(new GroupId(id)) : memberships.groupOf(id);
  }

  /** Returns the known members of a group whose manifest cannot be read. */
  public List<Long> membersOf(GroupId group) {
    return memberships.membersOf(group);
  }

  /** Does what can be done now for a group. The outcome is empty if there is no such group. */
  public GroupOutcome reconcile(GroupId group) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(group.value());
          if (parity.isPresent()) {
            return reconcile(group, parity.get());
          }
          unaudited.audited(group.value());
          Optional<GroupId> before = forgotten(group);
          return before.isPresent() ? reconcile(before.get()) : GroupOutcome.none(group);
        });
  }

  /**
   * Raises the replication of blocks where members are missing, and does no more: see {@link
   * RegroupStep#PROTECTED}. The group is encoded again when it is reconciled. Does not wait for the
   * task that works on the group, which may encode it for hours. That task may lower a replication
   * that was raised here; the group is under way then, so it is reconciled soon.
   *
   * @return the outcomes of members that leave and of those that a quota holds back; empty if no
   *     member is missing, if a successor protects them, or if the group is being unraided
   */
  public GroupOutcome protect(GroupId group) throws IOException {
    Optional<ParityFile> parity = cluster.parity().find(group.value());
    if (parity.isEmpty() || parity.get().phase() == ParityPhase.UNRAIDING) {
      return GroupOutcome.none(group);
    }
    GroupMembers members = GroupMembers.lookUp(cluster.namespace(), parity.get());
    return members.isComplete() || newerGeneration(group, members).isPresent()
        ? GroupOutcome.none(group)
        : new GroupOutcome(group, protect(group, members));
  }

  /** A file that was written down for a group turned out not to be in it. */
  public void isNotIn(GroupId group, long inode) {
    memberships.left(group, List.of(inode));
  }

  /**
   * There is no such group any more, or not yet: a daemon may have died before it was committed.
   *
   * @return the generation before, when that is still there and its members are in it
   */
  private Optional<GroupId> forgotten(GroupId group) throws IOException {
    List<Long> noted = memberships.membersOf(group);
    memberships.left(group, noted);
    GroupId before = group.predecessor();
    Optional<ParityFile> parity = cluster.parity().find(before.value());
    if (parity.isEmpty()) {
      return Optional.empty();
    }
    Set<Long> members = new TreeSet<>(noted);
    members.retainAll(parity.get().manifest().members().stream().map(Member::inode).toList());
    memberships.joined(before, members);
    return Optional.of(before);
  }

  /**
   * Starts to unraid members: their replication is raised now, and the group is encoded without
   * them when it is reconciled. The other members stay as they are. If no member would be left, the
   * whole group is unraided.
   *
   * @return an empty outcome if none of these files is a member
   */
  public GroupOutcome unraidMembers(GroupId group, Collection<Long> inodes) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> found = cluster.parity().find(group.value());
          if (found.isEmpty()) {
            Optional<GroupId> before = forgotten(group);
            return before.isPresent()
                ? unraidMembers(before.get(), inodes)
                : GroupOutcome.none(group);
          }
          // Else the generation before, which has not handed over yet, would take them back.
          GroupId before = group.predecessor();
          boolean isThere = cluster.parity().find(before.value()).isPresent();
          GroupOutcome older = isThere ? unraidMembers(before, inodes) : GroupOutcome.none(before);
          return unraidMembers(group, found.get(), inodes).or(older.members());
        });
  }

  private GroupOutcome unraidMembers(GroupId group, ParityFile parity, Collection<Long> inodes)
      throws IOException {
    GroupMembers members = GroupMembers.lookUp(cluster.namespace(), parity);
    Set<Long> leaving = new TreeSet<>(inodes);
    leaving.retainAll(parity.manifest().members().stream().map(Member::inode).toList());
    if (leaving.isEmpty()) {
      memberships.left(group, inodes);
      return GroupOutcome.none(group);
    }
    leaving.addAll(parity.leaving());
    Set<Long> elsewhere = superseding.ofGroups(group, members.intact().keySet());
    // While superseding parity protects some, the old one waits for that to be audited, and goes by
    // itself.
    boolean nobodyStays = elsewhere.isEmpty() && leaving.containsAll(members.intact().keySet());
    if (parity.phase() == ParityPhase.UNRAIDING || nobodyStays) {
      return unraid(group, members);
    }
    leave(group, parity, leaving);
    leaving.removeAll(elsewhere);
    Map<Long, LeftAlone> refused =
        replicas.raise(
            group,
            members.living().values().stream()
                .filter(file -> leaving.contains(file.inode()))
                .toList(),
            parity.manifest().originalReplication());
    Map<Long, RaidOutcome> outcomes = new TreeMap<>();
    leaving.forEach(inode -> outcomes.put(inode, GroupReplicas.leavingNow(group, parity)));
    outcomes.putAll(GroupReplicas.refused(refused, FileState.UNRAIDING, parity));
    return new GroupOutcome(group, outcomes);
  }

  /**
   * Starts to let all members go, or goes on with it: the parity goes into quarantine when each of
   * their blocks has its replicas.
   */
  public GroupOutcome unraid(GroupId group) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> found = cluster.parity().find(group.value());
          if (found.isEmpty()) {
            Optional<GroupId> earlier = forgotten(group);
            return earlier.isPresent() ? unraid(earlier.get()) : GroupOutcome.none(group);
          }
          GroupId before = group.predecessor();
          boolean isThere = cluster.parity().find(before.value()).isPresent();
          GroupOutcome older = isThere ? unraid(before) : GroupOutcome.none(before);
          return unraid(group, GroupMembers.lookUp(cluster.namespace(), found.get()))
              .or(older.members());
        });
  }

  private GroupOutcome reconcile(GroupId group, ParityFile parity) throws IOException {
    GroupMembers members = GroupMembers.lookUp(cluster.namespace(), parity);
    Optional<GroupId> newer = newerGeneration(group, members);
    if (newer.isPresent()) {
      return handOver(group, members, newer.get());
    }
    if (parity.phase() == ParityPhase.UNRAIDING) {
      return unraid(group, members);
    }
    Set<Long> own = new LinkedHashSet<>(members.intact().keySet());
    own.removeAll(superseding.ofGroups(group, own));
    memberships.joined(group, own);
    return members.isComplete() ? maintain(group, members) : regroup(group, members);
  }

  /**
   * Who has taken over: the next generation, or, when that is history already, the group that one
   * of the members is in now.
   */
  private Optional<GroupId> newerGeneration(GroupId group, GroupMembers members)
      throws IOException {
    Set<GroupId> candidates = new LinkedHashSet<>();
    candidates.add(group.successor());
    members
        .intact()
        .keySet()
        .forEach(inode -> memberships.groupOf(inode).ifPresent(candidates::add));
    for (GroupId candidate : candidates) {
      // What is written down may be old: an earlier generation that has handed over to this one.
      if (candidate.isAfter(group) && cluster.parity().find(candidate.value()).isPresent()) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  // A group of which all members are as they were encoded

  private GroupOutcome maintain(GroupId group, GroupMembers members) throws IOException {
    ParityFile parity = members.parity();
    Manifest manifest = parity.manifest();
    int target = manifest.targetReplication();
    List<LocatedFile> below =
        members.intact().values().stream().filter(file -> file.replication() < target).toList();
    replicas.raise(group, below, target);
    if (parity.phase() == ParityPhase.COMMITTED) {
      Set<Long> elsewhere = superseding.ofAnyKind(group, members.intact().values());
      return elsewhere.isEmpty()
          ? new GroupOutcome(group, raider.reduceCommitted(group, parity))
          : letGo(group, members, elsewhere);
    }
    Set<Long> raised = new HashSet<>(parity.leaving());
    members.intact().values().stream()
        .filter(file -> file.replication() > target)
        .forEach(file -> raised.add(file.inode()));
    if (!raised.isEmpty() && raised.stream().allMatch(reductions::wasUndone)) {
      // The parity was gone for a while. As after a commit, everything is proven first.
      cluster.fence().pass();
      cluster.parity().mark(group.value(), ParityPhase.COMMITTED);
      return new GroupOutcome(group, raider.reduceCommitted(group, parity));
    }
    if (!raised.isEmpty()) {
      // Its owner wants it replicated: then it needs no parity, and must not bind the others.
      cluster.fence().pass();
      cluster.parity().release(group, raised);
      Map<Long, RaidOutcome> outcomes =
          GroupRaider.each(
              manifest,
              RaidOutcome.at(
                      FileState.REDUCED,
                      "Replication of others in %s was raised by a user; it will be encoded without them"
                          .formatted(group))
                  .under(parity));
      raised.forEach(inode -> outcomes.put(inode, GroupReplicas.leavingNow(group, parity)));
      return new GroupOutcome(group, outcomes);
    }
    RaidOutcome audited = auditor.audit(group.value(), parity, members.intact());
    if (audited.state() == FileState.RAIDED) {
      raider.hint(group, parity); // a member's owner may have removed it
    }
    RaidOutcome told =
        audited.state() == FileState.RAIDED
            ? RaidOutcome.at(FileState.RAIDED, GroupRaider.describe(group, manifest)).under(parity)
            : audited;
    Map<Long, RaidOutcome> outcomes = GroupRaider.each(manifest, told.audited(0, Optional.empty()));
    // The moves belong to the group. They are reported for one member, so that they count once.
    outcomes.put(
        manifest.members().get(0).inode(), told.audited(audited.unitsMoved(), audited.spread()));
    return new GroupOutcome(group, outcomes);
  }

  /**
   * Lets members leave that other parity protects. A daemon may have died right after it committed
   * this group, and the notes were lost: then nothing told that its members were in it.
   */
  private GroupOutcome letGo(GroupId group, GroupMembers members, Set<Long> elsewhere)
      throws IOException {
    ParityFile parity = members.parity();
    leave(group, parity, elsewhere);
    memberships.left(group, elsewhere);
    Map<Long, RaidOutcome> outcomes =
        GroupRaider.each(
            parity.manifest(),
            RaidOutcome.at(
                    FileState.COMMITTED,
                    "Others in %s were raided elsewhere meanwhile; it will be encoded without them"
                        .formatted(group))
                .under(parity));
    outcomes.keySet().removeAll(elsewhere);
    return new GroupOutcome(group, outcomes);
  }

  // A group of which members were changed, are gone, or want to leave

  private GroupOutcome regroup(GroupId group, GroupMembers members) throws IOException {
    ParityFile parity = members.parity();
    Manifest manifest = parity.manifest();
    Map<Long, RaidOutcome> outcomes = protect(group, members);
    Set<Long> beyondRepair = risk.beyondRepair(members);
    for (long inode : beyondRepair) {
      outcomes.put(inode, RaidOutcome.left(FileState.REDUCED, missing(group)).under(parity));
    }
    List<LocatedFile> staying =
        members.staying().values().stream()
            .filter(file -> !beyondRepair.contains(file.inode()))
            .toList();
    if (staying.stream().anyMatch(LocatedFile::hasLostBlocks)) {
      return waiting(
          group,
          members,
          outcomes,
          "Blocks of members are lost; they are repaired first",
          Optional.empty());
    }
    ErasureCodec codec = codecs.apply(manifest.codec());
    Protection protection =
        new Protection(
            manifest.codec(), manifest.targetReplication(), manifest.parityReplication());
    int original = manifest.originalReplication();
    if (GroupSaving.of(staying, original, codec, protection).tooLittle(0).isPresent()) {
      return unraid(group, members);
    }
    GroupId successor = group.successor();
    try {
      return inWork.alone(
          successor.value(),
          () ->
              inWork.allAlone(
                  staying.stream().map(LocatedFile::inode).toList(),
                  () -> succeed(group, members, successor, staying, protection, outcomes)));
    } catch (Abandoned abandoned) {
      // Encoding has taken its time, and the group is left alone for a while now.
      GroupMembers now = GroupMembers.lookUp(cluster.namespace(), parity);
      outcomes.putAll(protect(group, now));
      return waiting(
          group, now, outcomes, abandoned.why.getMessage(), Optional.of(abandoned.why.reason()));
    }
  }

  /**
   * Raises the replication of members that leave, and of staying members whose stripe tolerates no
   * further loss.
   *
   * @return the outcomes of members that leave and of those that a quota holds back
   */
  private Map<Long, RaidOutcome> protect(GroupId group, GroupMembers members) throws IOException {
    ParityFile parity = members.parity();
    Map<Long, LeftAlone> refused =
        replicas.raise(group, risk.atRisk(members), parity.manifest().originalReplication());
    Map<Long, RaidOutcome> outcomes =
        new TreeMap<>(GroupReplicas.refused(refused, FileState.REDUCED, parity));
    outcomes.putAll(replicas.raise(group, members));
    if (outcomes.values().stream().noneMatch(GroupReconciler::isKeptDown)) {
      steps.reached(RegroupStep.PROTECTED, group.toString());
    }
    return outcomes;
  }

  private static boolean isKeptDown(RaidOutcome outcome) {
    return outcome.reason().filter(Reason.QUOTA_EXCEEDED::equals).isPresent();
  }

  /** Carries a {@link LeftAlone} out of work that may throw nothing else. */
  private static final class Abandoned extends IOException {
    private static final long serialVersionUID = 1L;

    private final LeftAlone why;

    Abandoned(LeftAlone why) {
      super(why);
      this.why = why;
    }
  }

  private GroupOutcome succeed(
      GroupId group,
      GroupMembers members,
      GroupId successor,
      List<LocatedFile> staying,
      Protection protection,
      Map<Long, RaidOutcome> outcomes)
      throws IOException {
    int original = members.parity().manifest().originalReplication();
    ErasureCodec codec = codecs.apply(protection.codec());
    GroupEncoder.Encoded encoded;
    try {
      encoded =
          encoder.encode(
              successor,
              staying,
              protection,
              original,
              files -> GroupSaving.of(files, original, codec, protection).tooLittle(0),
              RaidProgress.NONE);
    } catch (LeftAlone left) {
      throw new Abandoned(left);
    }
    if (encoded.proof().isEmpty()) {
      return unraid(group, members);
    }
    ParityFile committed = encoded.proof().get().parity();
    raider.hint(successor, committed);
    steps.reached(RegroupStep.SUCCEEDED, successor.toString());
    RaidOutcome succeeded =
        RaidOutcome.at(
                FileState.COMMITTED,
                GroupRaider.describe(successor, committed.manifest())
                    + ", which takes the place of "
                    + group)
            .under(committed);
    encoded
        .leftOut()
        .forEach(
            (inode, left) ->
                outcomes.put(
                    inode, RaidOutcome.left(FileState.REDUCED, left).under(members.parity())));
    return new GroupOutcome(successor, GroupRaider.each(committed.manifest(), succeeded))
        .or(outcomes);
  }

  private static GroupOutcome waiting(
      GroupId group,
      GroupMembers members,
      Map<Long, RaidOutcome> outcomes,
      String why,
      Optional<Reason> reason) {
    RaidOutcome waits =
        reason
            .map(r -> RaidOutcome.left(FileState.REDUCED, new LeftAlone(r, why)))
            .orElseGet(() -> RaidOutcome.at(FileState.REDUCED, why))
            .under(members.parity());
    Map<Long, RaidOutcome> staying = new TreeMap<>();
    members.staying().keySet().forEach(inode -> staying.put(inode, waits));
    staying.putAll(outcomes);
    return new GroupOutcome(group, staying);
  }

  private static LeftAlone missing(GroupId group) {
    return new LeftAlone(
        Reason.MISSING_BLOCKS,
        "A block of it is lost, and its stripe in %s has lost too much to rebuild it; the others are encoded without it, and the old parity stays in case a DataNode comes back"
            .formatted(group));
  }

  // The old parity, once there is a successor

  private GroupOutcome handOver(GroupId group, GroupMembers members, GroupId newerId)
      throws IOException {
    GroupOutcome inherited = reconcile(newerId);
    Optional<ParityFile> newer = cluster.parity().find(newerId.value());
    if (newer.isEmpty() || newer.get().phase() == ParityPhase.UNRAIDING) {
      // The successor has just handed over itself: its own successor has taken over from this.
      Optional<GroupId> later =
          newer.isEmpty() ? newerGeneration(group, members) : Optional.empty();
      if (later.isPresent()) {
        return handOver(group, members, later.get()).or(inherited.members());
      }
      // The members of the successor have their replicas back or will have. So will the rest.
      return newer.isEmpty() && inherited.members().isEmpty()
          ? waiting(
              group, members, Map.of(), "Its successor vanished; looked at again", Optional.empty())
          : unraid(group, members);
    }
    Set<Long> inherits = new HashSet<>();
    newer.get().manifest().members().forEach(member -> inherits.add(member.inode()));
    Map<Long, RaidOutcome> others = replicas.raise(group, without(members, inherits));
    if (!inherited.isAt(FileState.RAIDED)) {
      return inherited.or(others);
    }
    int original = members.parity().manifest().originalReplication();
    Optional<String> lacking =
        replicas.lacking(
            group,
            members.living().values(),
            original,
            cover(group, members).with(newer.get().manifest()));
    if (lacking.isPresent()) {
      // The parity stays as long as a snapshot needs it. If the successor is unraided meanwhile, no
      // member returns to this parity.
      leave(group, members.parity(), inherits);
      return inherited
          .adding("the parity of %s stays: %s".formatted(group, lacking.get()))
          .or(others);
    }
    Map<Long, RaidOutcome> free = new TreeMap<>();
    for (long inode : others.keySet()) {
      cluster.parity().unhint(inode, group);
      free.put(
          inode, RaidOutcome.at(FileState.LEFT, "It has left " + group).under(members.parity()));
    }
    cluster.fence().pass();
    cluster.parity().retire(members.parity());
    memberships.left(group, others.keySet());
    unaudited.audited(group.value());
    steps.reached(RegroupStep.RETIRED, group.toString());
    return inherited.or(free);
  }

  private BlockCover cover(GroupId group, GroupMembers members) {
    return new BlockCover(cluster, memberships, members.parity(), group.value());
  }

  /** From now on these members want to leave, too. */
  private void leave(GroupId group, ParityFile parity, Collection<Long> more) throws IOException {
    Set<Long> leaving = new TreeSet<>(parity.leaving());
    leaving.addAll(more);
    if (!leaving.equals(parity.leaving())) {
      cluster.fence().pass();
      cluster.parity().release(group, leaving);
    }
  }

  /** The members as if those that the successor protects wanted to stay and the rest to leave. */
  private static GroupMembers without(GroupMembers members, Set<Long> inherited) {
    ParityFile parity = members.parity();
    Set<Long> leaving = new HashSet<>(members.intact().keySet());
    leaving.removeAll(inherited);
    Set<Long> gone = new LinkedHashSet<>(members.gone());
    Map<Long, LocatedFile> changed = new TreeMap<>(members.changed());
    return new GroupMembers(
        new ParityFile(
            parity.file(), parity.manifest(), parity.phase(), leaving, parity.abandoned()),
        members.intact(),
        changed,
        gone);
  }

  // Letting all members go

  /** Starts to let a whole group go, or goes on with it. */
  private GroupOutcome unraid(GroupId group, GroupMembers members) throws IOException {
    ParityFile parity = members.parity();
    Manifest manifest = parity.manifest();
    int original = manifest.originalReplication();
    String subject = group.toString();
    if (parity.phase() != ParityPhase.UNRAIDING) {
      cluster.fence().pass();
      cluster.parity().mark(group.value(), ParityPhase.UNRAIDING);
      steps.reached(UnraidStep.MARKED, subject);
    }
    // No audit follows, and whoever keeps the parity from quarantine may do so for weeks.
    unaudited.audited(group.value());
    Map<Long, LeftAlone> refused = replicas.raise(group, members.living().values(), original);
    Set<Long> elsewhere = superseding.ofAnyKind(group, members.living().values());
    Optional<LeftAlone> targetRefused = replicas.raiseOrphans(members);
    targetRefused.ifPresent(left -> members.gone().forEach(inode -> refused.put(inode, left)));
    steps.reached(UnraidStep.RAISED, subject);
    Optional<String> waiting =
        replicas.waiting(group, members, original, cover(group, members), lost.abandoned(parity));
    if (waiting.isPresent()) {
      Map<Long, RaidOutcome> outcomes =
          GroupRaider.each(
              manifest,
              RaidOutcome.at(
                      FileState.UNRAIDING,
                      "Replication is raised to %d; %s".formatted(original, waiting.get()))
                  .under(parity));
      outcomes.putAll(GroupReplicas.refused(refused, FileState.UNRAIDING, parity));
      outcomes.keySet().removeAll(elsewhere);
      return new GroupOutcome(group, outcomes);
    }
    steps.reached(UnraidStep.RESTORED, subject);
    for (Member member : manifest.members()) {
      cluster.parity().unhint(member.inode(), group);
    }
    cluster.fence().pass();
    // Who was in it stays written down until it is purged: should a block be in danger before, this
    // is how its parity is found.
    cluster.parity().retire(parity);
    steps.reached(UnraidStep.QUARANTINED, subject);
    Map<Long, RaidOutcome> free =
        GroupRaider.each(
            manifest,
            RaidOutcome.at(
                    FileState.LEFT,
                    "Every block that is not lost for good has %d replicas; the parity of %s is in quarantine"
                        .formatted(original, group))
                .under(parity));
    free.keySet().removeAll(elsewhere);
    return new GroupOutcome(group, free);
  }
}
