package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Takes small files together under parity that they share: what {@link Raider} does for a file of
 * its own, step by step the same, for a group. Safe for concurrent use; one group is worked on by
 * one task.
 */
public final class GroupRaider {
  private final ClusterAccess cluster;
  private final Function<String, ErasureCodec> codecs;
  private final GroupEncoder encoder;
  private final ParityProver prover;
  private final ParityParting parting;
  private final SourceCheck sources;
  private final YoungerParity younger;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final RandomGenerator random;
  private final StepListener steps;

  GroupRaider(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      GroupEncoder encoder,
      ParityProver prover,
      ParityParting parting,
      Memberships memberships,
      UnauditedStripes unaudited,
      FilesInWork inWork,
      RandomGenerator random,
      StepListener steps) {
    this.cluster = cluster;
    this.codecs = codecs;
    this.encoder = encoder;
    this.prover = prover;
    this.parting = parting;
    this.sources = new SourceCheck(cluster.namespace());
    this.younger = new YoungerParity(cluster, memberships);
    this.unaudited = unaudited;
    this.inWork = inWork;
    this.random = random;
    this.steps = steps;
  }

  /**
   * Raids files together. Files that are unfit, or not akin to most of the others, are left out.
   *
   * @param minSavingPercent of what the files occupy now; a group that saves less is not made
   * @return what came of each of them
   * @throws IOException when HDFS or the fence did not answer as it should; nothing is lost by
   *     trying again
   */
  public GroupOutcome raid(
      Collection<Long> inodes, Protection protection, int minSavingPercent, RaidProgress progress)
      throws IOException {
    GroupId group = GroupId.fresh(random);
    return inWork.alone(
        group.value(),
        () ->
            // The members, too: else the same file could be encoded alone, or in two groups.
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
    Map<Long, Outcome> outcomes = new TreeMap<>();
    List<FileState> pinned = new ArrayList<>();
    for (long inode : inodes) {
      try {
        pinned.add(pin(inode, protection, codec));
      } catch (LeftAlone left) {
        outcomes.put(inode, Outcome.left(Stage.REPLICATED, left));
      }
    }
    List<FileState> akin = Kin.most(pinned, cluster.parity());
    for (FileState other : pinned) {
      if (!akin.contains(other)) {
        outcomes.put(
            other.inode(),
            Outcome.left(
                Stage.REPLICATED,
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
          .forEach((inode, left) -> outcomes.put(inode, Outcome.left(Stage.REPLICATED, left)));
      if (encoded.proof().isPresent()) {
        Proof proof = encoded.proof().get();
        hint(group, proof.parity());
        reduceWhenAdmitted(group, proof.parity(), () -> proof)
            .forEach(
                (inode, outcome) ->
                    outcomes.put(
                        inode, outcome.withEncoded(lengthOf(inode, proof.parity().manifest()))));
      }
    } catch (LeftAlone left) {
      akin.forEach(
          file -> outcomes.putIfAbsent(file.inode(), Outcome.left(Stage.REPLICATED, left)));
    }
    return new GroupOutcome(group, outcomes);
  }

  private FileState pin(long inode, Protection protection, ErasureCodec codec)
      throws IOException, LeftAlone {
    FileState source = sources.pin(inode, protection, codec);
    if (cluster.parity().find(inode).isPresent() || younger.isInGroup(inode)) {
      throw new LeftAlone(Reason.ALREADY_RAIDED, "It has committed parity");
    }
    return source;
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
    Proof prove() throws IOException, LeftAlone;
  }

  /** An earlier attempt ended after its commit: proven again, for hours may have passed. */
  Map<Long, Outcome> reduceCommitted(GroupId group, ParityFile committed) throws IOException {
    return reduceWhenAdmitted(
        group,
        committed,
        () -> {
          hint(group, committed);
          Map<Long, FileState> members = Roll.call(cluster.namespace(), committed).intact();
          return prover.prove(parting.part(group.value(), committed, members), members);
        });
  }

  private Map<Long, Outcome> reduceWhenAdmitted(GroupId group, ParityFile parity, Proving proving)
      throws IOException {
    Manifest manifest = parity.manifest();
    if (!unaudited.admit(group.value(), manifest.stripes().size())) {
      return each(
          manifest,
          Outcome.at(
                  Stage.COMMITTED,
                  "Waits until fewer stripes are unaudited (now %d)".formatted(unaudited.total()))
              .under(parity));
    }
    boolean reduced = false;
    try {
      reduce(group, proving.prove());
      reduced = true;
    } catch (LeftAlone left) {
      return each(manifest, Outcome.left(Stage.COMMITTED, left).under(parity));
    } finally {
      if (!reduced) {
        unaudited.audited(group.value());
      }
    }
    cluster.parity().mark(group.value(), ParityPhase.REDUCED);
    steps.reached(RaidStep.MARKED, group.toString());
    return each(
        manifest,
        Outcome.at(
                Stage.REDUCED,
                "%s: replication lowered from %d to %d; waits until the excess replicas are gone"
                    .formatted(
                        describe(group, manifest),
                        manifest.originalReplication(),
                        manifest.targetReplication()))
            .under(parity));
  }

  /**
   * The point of no return, member by member: each is looked at once more and the fence passed. The
   * first that is not as it was encoded ends it, for what the stripe of a changed member bears is
   * less; the group is then encoded again.
   */
  private void reduce(GroupId group, Proof proof) throws IOException, LeftAlone {
    Manifest manifest = proof.parity().manifest();
    for (Member member : manifest.members()) {
      unchangedOrRaised(member.inode(), manifest);
    }
    requireWhole(group, proof);
    for (Member member : manifest.members()) {
      if (unchangedOrRaised(member.inode(), manifest)) {
        cluster.fence().pass();
        cluster.namespace().setReplication(member.inode(), manifest.targetReplication());
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
      throw new IOException(
          "The parity of %s vanished while the replication of its members was lowered; it was raised to %d again"
              .formatted(group, manifest.originalReplication()));
    }
  }

  /** False for a member whose replication somebody else has chosen: it is not lowered. */
  private boolean unchangedOrRaised(long inode, Manifest manifest) throws IOException, LeftAlone {
    try {
      sources.unchanged(inode, manifest);
      return true;
    } catch (LeftAlone left) {
      if (left.reason() == Reason.REPLICATION_CHANGED) {
        return false;
      }
      throw left;
    }
  }

  private void requireWhole(GroupId group, Proof proof) throws IOException, LeftAlone {
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

  static Map<Long, Outcome> each(Manifest manifest, Outcome outcome) {
    Map<Long, Outcome> outcomes = new TreeMap<>();
    manifest.members().forEach(member -> outcomes.put(member.inode(), outcome));
    return outcomes;
  }

  static String describe(GroupId group, Manifest manifest) {
    return "In %s of %d files, %d stripes"
        .formatted(group, manifest.members().size(), manifest.stripes().size());
  }
}
