package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
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
 * Attends to groups: takes a group to its next stage, and answers what users have done to its
 * members. What {@link Guardian} and {@link Unraider} are for files with parity of their own.
 *
 * <p>The blocks of a member that is deleted or changed are lost to their stripes, which bear less
 * from then on. So
 *
 * <ol>
 *   <li>what the member still has gets its replication back, and where a stripe does not bear
 *       another loss, everything in it does;
 *   <li>the members that are left are encoded anew, as the <i>successor</i> of the group: the next
 *       number, by which it is found again after a crash;
 *   <li>when the successor is audited and nothing that lives depends on the old parity any more,
 *       that goes to quarantine.
 * </ol>
 *
 * <p>From the moment a change is noticed no block is without both its replicas and live parity, but
 * where a quota refuses the replicas. Safe for concurrent use; one group is worked on by one task.
 */
public final class GroupKeeper {
  private final ClusterAccess cluster;
  private final Function<String, ErasureCodec> codecs;
  private final GroupRaider raider;
  private final GroupEncoder encoder;
  private final Auditor auditor;
  private final GroupReplicas replicas;
  private final GroupRisk risk;
  private final Memberships memberships;
  private final YoungerParity younger;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final StepListener steps;

  GroupKeeper(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      StripeLocator locator,
      GroupRaider raider,
      GroupEncoder encoder,
      Auditor auditor,
      Memberships memberships,
      UnauditedStripes unaudited,
      FilesInWork inWork,
      StepListener steps) {
    this.cluster = cluster;
    this.codecs = codecs;
    this.raider = raider;
    this.encoder = encoder;
    this.auditor = auditor;
    this.risk = new GroupRisk(locator);
    this.memberships = memberships;
    this.younger = new YoungerParity(cluster, memberships);
    this.replicas = new GroupReplicas(cluster, younger);
    this.unaudited = unaudited;
    this.inWork = inWork;
    this.steps = steps;
  }

  /** The group that a parity id is, or that the file with this inode id is known to belong to. */
  public Optional<GroupId> groupOf(long id) {
    return GroupId.isGroup(id) ? Optional.of(new GroupId(id)) : memberships.groupOf(id);
  }

  /** The files that are known to belong to a group which cannot be asked. */
  public List<Long> membersOf(GroupId group) {
    return memberships.membersOf(group);
  }

  /** Does what can be done now for a group; no outcome for any member when there is none. */
  public GroupOutcome attend(GroupId group) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(group.value());
          if (parity.isPresent()) {
            return attend(group, parity.get());
          }
          Optional<GroupId> before = forgotten(group);
          return before.isPresent() ? attend(before.get()) : GroupOutcome.none(group);
        });
  }

  /**
   * Gives replicas back where members are missing, and does no more: see {@link
   * RegroupStep#PROTECTED}. The group is encoded again when it is attended to.
   *
   * @return what came of members that do not stay, and of those that a quota keeps down; of none
   *     when all are there, or a successor or the owners' wish already sees to them
   */
  public GroupOutcome protect(GroupId group) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(group.value());
          if (parity.isEmpty() || parity.get().phase() == ParityPhase.RETIRING) {
            return GroupOutcome.none(group);
          }
          Roll roll = Roll.call(cluster.namespace(), parity.get());
          return roll.isComplete() || heir(group, roll).isPresent()
              ? GroupOutcome.none(group)
              : new GroupOutcome(group, protect(group, roll));
        });
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
   * Starts to let members go: they get their replication back now, and the group is encoded without
   * them when it is attended to. The others stay as they are. When nobody would be left, the whole
   * group is let go.
   *
   * @return no outcome for any member when none of these files is one
   */
  public GroupOutcome release(GroupId group, Collection<Long> inodes) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> found = cluster.parity().find(group.value());
          if (found.isEmpty()) {
            Optional<GroupId> before = forgotten(group);
            return before.isPresent() ? release(before.get(), inodes) : GroupOutcome.none(group);
          }
          // Else the generation before, which has not handed over yet, would take them back.
          GroupId before = group.predecessor();
          boolean isThere = cluster.parity().find(before.value()).isPresent();
          GroupOutcome older = isThere ? release(before, inodes) : GroupOutcome.none(before);
          return release(group, found.get(), inodes).or(older.members());
        });
  }

  private GroupOutcome release(GroupId group, ParityFile parity, Collection<Long> inodes)
      throws IOException {
    Roll roll = Roll.call(cluster.namespace(), parity);
    Set<Long> leaving = new TreeSet<>(inodes);
    leaving.retainAll(parity.manifest().members().stream().map(Member::inode).toList());
    if (leaving.isEmpty()) {
      memberships.left(group, inodes);
      return GroupOutcome.none(group);
    }
    leaving.addAll(parity.leaving());
    Set<Long> elsewhere = younger.ofGroups(group, roll.intact().keySet());
    // While younger parity protects some, the old one waits for that to be audited, and goes by
    // itself.
    boolean nobodyStays = elsewhere.isEmpty() && leaving.containsAll(roll.intact().keySet());
    if (parity.phase() == ParityPhase.RETIRING || nobodyStays) {
      return letGo(group, roll);
    }
    leave(group, parity, leaving);
    leaving.removeAll(elsewhere);
    Map<Long, LeftAlone> refused =
        replicas.raise(
            group,
            roll.living().values().stream().filter(file -> leaving.contains(file.inode())).toList(),
            parity.manifest().originalReplication());
    Map<Long, Outcome> outcomes = new TreeMap<>();
    leaving.forEach(inode -> outcomes.put(inode, GroupReplicas.leavingNow(group, parity)));
    outcomes.putAll(GroupReplicas.refused(refused, Stage.RETIRING, parity));
    return new GroupOutcome(group, outcomes);
  }

  /**
   * Starts to let all members go, or goes on with it: the parity goes into quarantine when each of
   * their blocks has its replicas.
   */
  public GroupOutcome letGo(GroupId group) throws IOException {
    return inWork.alone(
        group.value(),
        () -> {
          Optional<ParityFile> found = cluster.parity().find(group.value());
          if (found.isEmpty()) {
            Optional<GroupId> earlier = forgotten(group);
            return earlier.isPresent() ? letGo(earlier.get()) : GroupOutcome.none(group);
          }
          GroupId before = group.predecessor();
          boolean isThere = cluster.parity().find(before.value()).isPresent();
          GroupOutcome older = isThere ? letGo(before) : GroupOutcome.none(before);
          return letGo(group, Roll.call(cluster.namespace(), found.get())).or(older.members());
        });
  }

  private GroupOutcome attend(GroupId group, ParityFile parity) throws IOException {
    Roll roll = Roll.call(cluster.namespace(), parity);
    Optional<GroupId> heir = heir(group, roll);
    if (heir.isPresent()) {
      return handOver(group, roll, heir.get());
    }
    if (parity.phase() == ParityPhase.RETIRING) {
      return letGo(group, roll);
    }
    Set<Long> own = new LinkedHashSet<>(roll.intact().keySet());
    own.removeAll(younger.ofGroups(group, own));
    memberships.joined(group, own);
    return roll.isComplete() ? tend(group, roll) : regroup(group, roll);
  }

  /**
   * Who has taken over: the next generation, or, when that is history already, the group that one
   * of the members is in now.
   */
  private Optional<GroupId> heir(GroupId group, Roll roll) throws IOException {
    Set<GroupId> candidates = new LinkedHashSet<>();
    candidates.add(group.successor());
    roll.intact().keySet().forEach(inode -> memberships.groupOf(inode).ifPresent(candidates::add));
    for (GroupId candidate : candidates) {
      // What is written down may be old: an earlier generation that has handed over to this one.
      if (candidate.isAfter(group) && cluster.parity().find(candidate.value()).isPresent()) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  // A group of which all members are as they were encoded

  private GroupOutcome tend(GroupId group, Roll roll) throws IOException {
    ParityFile parity = roll.parity();
    Manifest manifest = parity.manifest();
    int target = manifest.targetReplication();
    List<FileState> below =
        roll.intact().values().stream().filter(file -> file.replication() < target).toList();
    replicas.raise(group, below, target);
    if (parity.phase() == ParityPhase.COMMITTED) {
      return new GroupOutcome(group, raider.reduceCommitted(group, parity));
    }
    Set<Long> raised = new HashSet<>(parity.leaving());
    roll.intact().values().stream()
        .filter(file -> file.replication() > target)
        .forEach(file -> raised.add(file.inode()));
    if (!raised.isEmpty()) {
      // Its owner wants it replicated: then it needs no parity, and must not bind the others.
      cluster.fence().pass();
      cluster.parity().release(group, raised);
      Map<Long, Outcome> outcomes =
          GroupRaider.each(
              manifest,
              Outcome.at(
                      Stage.REDUCED,
                      "Replication of others in %s was raised by a user; it will be encoded without them"
                          .formatted(group))
                  .under(parity));
      raised.forEach(inode -> outcomes.put(inode, GroupReplicas.leavingNow(group, parity)));
      return new GroupOutcome(group, outcomes);
    }
    Outcome audited = auditor.audit(group.value(), parity, roll.intact());
    if (audited.stage() == Stage.RAIDED) {
      raider.hint(group, parity); // a member's owner may have removed it
    }
    Outcome told =
        audited.stage() == Stage.RAIDED
            ? Outcome.at(Stage.RAIDED, GroupRaider.describe(group, manifest)).under(parity)
            : audited;
    Map<Long, Outcome> outcomes = GroupRaider.each(manifest, told.audited(0, Optional.empty()));
    // Moves are those of the group: told of one member, so that nobody counts them twice.
    outcomes.put(
        manifest.members().get(0).inode(), told.audited(audited.unitsMoved(), audited.spread()));
    return new GroupOutcome(group, outcomes);
  }

  // A group of which members were changed, are gone, or want to leave

  private GroupOutcome regroup(GroupId group, Roll roll) throws IOException {
    ParityFile parity = roll.parity();
    Manifest manifest = parity.manifest();
    Map<Long, Outcome> outcomes = protect(group, roll);
    Set<Long> beyondRepair = risk.beyondRepair(roll);
    for (long inode : beyondRepair) {
      outcomes.put(inode, Outcome.left(Stage.REDUCED, missing(group)).under(parity));
    }
    List<FileState> staying =
        roll.staying().values().stream()
            .filter(file -> !beyondRepair.contains(file.inode()))
            .toList();
    if (staying.stream().anyMatch(FileState::hasLostBlocks)) {
      return waiting(
          group,
          roll,
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
      return letGo(group, roll);
    }
    GroupId successor = group.successor();
    try {
      return inWork.alone(
          successor.value(),
          () ->
              inWork.allAlone(
                  staying.stream().map(FileState::inode).toList(),
                  () -> succeed(group, roll, successor, staying, protection, outcomes)));
    } catch (Abandoned abandoned) {
      return waiting(
          group, roll, outcomes, abandoned.why.getMessage(), Optional.of(abandoned.why.reason()));
    }
  }

  /**
   * Gives their replicas back to members that do not stay, and to those that do where their stripe
   * bears no further loss.
   *
   * @return what came of those that do not stay, and of those that a quota keeps down
   */
  private Map<Long, Outcome> protect(GroupId group, Roll roll) throws IOException {
    ParityFile parity = roll.parity();
    Map<Long, LeftAlone> refused =
        replicas.raise(group, risk.atRisk(roll), parity.manifest().originalReplication());
    Map<Long, Outcome> outcomes =
        new TreeMap<>(GroupReplicas.refused(refused, Stage.REDUCED, parity));
    outcomes.putAll(replicas.giveBack(group, roll));
    if (outcomes.values().stream().noneMatch(GroupKeeper::isKeptDown)) {
      steps.reached(RegroupStep.PROTECTED, group.toString());
    }
    return outcomes;
  }

  private static boolean isKeptDown(Outcome outcome) {
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
      Roll roll,
      GroupId successor,
      List<FileState> staying,
      Protection protection,
      Map<Long, Outcome> outcomes)
      throws IOException {
    int original = roll.parity().manifest().originalReplication();
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
      return letGo(group, roll);
    }
    ParityFile committed = encoded.proof().get().parity();
    raider.hint(successor, committed);
    steps.reached(RegroupStep.SUCCEEDED, successor.toString());
    Outcome succeeded =
        Outcome.at(
                Stage.COMMITTED,
                GroupRaider.describe(successor, committed.manifest())
                    + ", which takes the place of "
                    + group)
            .under(committed);
    encoded
        .leftOut()
        .forEach(
            (inode, left) ->
                outcomes.put(inode, Outcome.left(Stage.REDUCED, left).under(roll.parity())));
    return new GroupOutcome(successor, GroupRaider.each(committed.manifest(), succeeded))
        .or(outcomes);
  }

  private static GroupOutcome waiting(
      GroupId group, Roll roll, Map<Long, Outcome> outcomes, String why, Optional<Reason> reason) {
    Outcome waits =
        reason
            .map(r -> Outcome.left(Stage.REDUCED, new LeftAlone(r, why)))
            .orElseGet(() -> Outcome.at(Stage.REDUCED, why))
            .under(roll.parity());
    Map<Long, Outcome> staying = new TreeMap<>();
    roll.staying().keySet().forEach(inode -> staying.put(inode, waits));
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

  private GroupOutcome handOver(GroupId group, Roll roll, GroupId heirId) throws IOException {
    GroupOutcome inherited = attend(heirId);
    Optional<ParityFile> heir = cluster.parity().find(heirId.value());
    if (heir.isEmpty() || heir.get().phase() == ParityPhase.RETIRING) {
      // The heir has handed over itself just now: who took over from it has taken over from this.
      Optional<GroupId> later = heir.isEmpty() ? heir(group, roll) : Optional.empty();
      if (later.isPresent()) {
        return handOver(group, roll, later.get()).or(inherited.members());
      }
      // What the successor held is replicated again, or about to be: so is the rest.
      return heir.isEmpty() && inherited.members().isEmpty()
          ? waiting(
              group, roll, Map.of(), "Its successor vanished; looked at again", Optional.empty())
          : letGo(group, roll);
    }
    Set<Long> covered = new HashSet<>();
    heir.get().manifest().stripes().stream()
        .flatMap(stripe -> stripe.data().stream())
        .forEach(unit -> covered.add(unit.block().id()));
    Set<Long> inherits = new HashSet<>();
    heir.get().manifest().members().forEach(member -> inherits.add(member.inode()));
    Map<Long, Outcome> others = replicas.giveBack(group, without(roll, inherits));
    if (!inherited.isAt(Stage.RAIDED)) {
      return inherited.or(others);
    }
    List<Block> rest =
        GroupReplicas.blocks(roll.parity().manifest()).stream()
            .filter(block -> !covered.contains(block.id()))
            .toList();
    Optional<String> lacking =
        replicas.lacking(rest, roll.parity().manifest().originalReplication());
    if (lacking.isPresent()) {
      // For as long as a snapshot wants; should the successor be let go meanwhile, nobody comes
      // back.
      leave(group, roll.parity(), inherits);
      return inherited.or(others);
    }
    Map<Long, Outcome> free = new TreeMap<>();
    for (long inode : others.keySet()) {
      cluster.parity().unhint(inode, group);
      free.put(inode, Outcome.at(Stage.REPLICATED, "It has left " + group));
    }
    cluster.fence().pass();
    cluster.parity().quarantine(roll.parity());
    memberships.left(group, others.keySet());
    unaudited.audited(group.value());
    steps.reached(RegroupStep.RETIRED, group.toString());
    return inherited.or(free);
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

  /** The roll as if those that the successor protects wanted to stay and the rest to leave. */
  private static Roll without(Roll roll, Set<Long> inherited) {
    ParityFile parity = roll.parity();
    Set<Long> leaving = new HashSet<>(roll.intact().keySet());
    leaving.removeAll(inherited);
    Set<Long> gone = new LinkedHashSet<>(roll.gone());
    Map<Long, FileState> changed = new TreeMap<>(roll.changed());
    return new Roll(
        new ParityFile(parity.file(), parity.manifest(), parity.phase(), leaving),
        roll.intact(),
        changed,
        gone);
  }

  // Letting all members go

  /** Starts to let a whole group go, or goes on with it. */
  private GroupOutcome letGo(GroupId group, Roll roll) throws IOException {
    ParityFile parity = roll.parity();
    Manifest manifest = parity.manifest();
    int original = manifest.originalReplication();
    String subject = group.toString();
    if (parity.phase() != ParityPhase.RETIRING) {
      cluster.fence().pass();
      cluster.parity().mark(group.value(), ParityPhase.RETIRING);
      steps.reached(UnraidStep.MARKED, subject);
    }
    Map<Long, LeftAlone> refused = replicas.raise(group, roll.living().values(), original);
    Set<Long> elsewhere = younger.ofGroups(group, roll.living().keySet());
    Optional<LeftAlone> adopterRefused = replicas.raiseOrphans(roll);
    adopterRefused.ifPresent(left -> roll.gone().forEach(inode -> refused.put(inode, left)));
    steps.reached(UnraidStep.RAISED, subject);
    Optional<String> waiting = replicas.waiting(group, roll, original);
    if (waiting.isPresent()) {
      Map<Long, Outcome> outcomes =
          GroupRaider.each(
              manifest,
              Outcome.at(
                      Stage.RETIRING,
                      "Replication is raised to %d; %s".formatted(original, waiting.get()))
                  .under(parity));
      outcomes.putAll(GroupReplicas.refused(refused, Stage.RETIRING, parity));
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
    cluster.parity().quarantine(parity);
    unaudited.audited(group.value());
    steps.reached(UnraidStep.QUARANTINED, subject);
    return new GroupOutcome(
        group,
        GroupRaider.each(
            manifest,
            Outcome.at(
                Stage.REPLICATED,
                "Every block has %d replicas; the parity of %s is in quarantine"
                    .formatted(original, group))));
  }
}
