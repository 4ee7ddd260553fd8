// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.Obstacle;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.Forecast;
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
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Takes a file from plain replication to lowered replication with parity. Each call starts from
 * what HDFS shows and goes as far as it can:
 *
 * <ol>
 *   <li>pin: the file is closed, healthy and replicated, and the cluster has enough nodes;
 *   <li>encode into a draft, one favoured node for each parity unit; concatenate, describe;
 *   <li>verify: every replica of every unit has the recorded checksum; the source is unchanged;
 *       fence; <b>commit</b> by rename;
 *   <li>check source and parity again; fence; <b>lower the replication</b>. After this step the
 *       replicas can only be copied again;
 *   <li>mark the parity file as reduced. The {@link Auditor} does the rest when the excess replicas
 *       are gone.
 * </ol>
 *
 * <p>Safe for concurrent use; one task at a time works on a file.
 */
public final class Raider {
  private final ClusterAccess cluster;
  private final Function<String, ErasureCodec> codecs;
  private final ParityBuilder builder;
  private final ParityProver prover;
  private final ParitySeparation separation;
  private final SourceCheck sources;
  private final SupersedingParity superseding;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final Reductions reductions;
  private final ReplicationReduction reduction;
  private final StepListener steps;

  public Raider(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      ParityBuilder builder,
      ParityProver prover,
      ParitySeparation separation,
      Memberships memberships,
      WorkInProgress work) {
    this.cluster = cluster;
    this.codecs = codecs;
    this.builder = builder;
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
   * Raids a file, or continues where an earlier attempt ended.
   *
   * @param protection the code and the replication; a file that has parity keeps those of its
   *     manifest
   * @throws IOException if HDFS or the fence fails; trying again is safe
   */
  public RaidOutcome raid(long inode, Protection protection, RaidProgress progress)
      throws IOException {
    return inWork.alone(
        inode,
        () -> {
          Optional<ParityFile> own = cluster.parity().find(inode);
          if (own.isPresent()) {
            return own.get().phase() == ParityPhase.COMMITTED
                ? reduceCommitted(inode, own.get())
                : RaidOutcome.alreadyRaided(own.get());
          }
          Optional<ParityFile> shared = superseding.ofItsGroup(inode);
          return shared.isPresent()
              ? RaidOutcome.alreadyRaided(shared.get())
              : encodeAndReduce(inode, protection, progress);
        });
  }

  /** Foretells what raiding the file would do. Changes nothing. */
  public Forecast foresee(long inode, Protection protection) throws IOException {
    ErasureCodec codec = codecs.apply(protection.codec());
    try {
      Optional<ParityFile> parity = superseding.inService(inode);
      if (parity.isPresent()) {
        throw LeftAlone.alreadyRaided(parity.get());
      }
      LocatedFile source = sources.pin(inode, protection, codec);
      return Forecast.of(source.contents(), source.replication(), codec, protection);
    } catch (LeftAlone left) {
      return Forecast.refused(left);
    }
  }

  private RaidOutcome encodeAndReduce(long inode, Protection protection, RaidProgress progress)
      throws IOException {
    ErasureCodec codec = codecs.apply(protection.codec());
    String subject = "inode " + inode;
    ReadTally read = new ReadTally(progress);
    ParityProof proof;
    LocatedFile source;
    try {
      source = sources.pin(inode, protection, codec);
      steps.reached(RaidStep.PINNED, subject);
      try (ParityDraft draft = cluster.parity().draft(inode)) {
        Manifest manifest = encode(source, codec, protection, draft, read);
        steps.reached(RaidStep.ENCODED, subject);
        LocatedFile written = draft.concat(manifest.stripes().size() * codec.shape().parityUnits());
        // A dead favoured node is replaced silently, and at random.
        ParityFile drafted =
            separation.separate(
                new ParityFile(written, manifest, ParityPhase.COMMITTED), Map.of(inode, source));
        draft.describe(manifest, source);
        steps.reached(RaidStep.DESCRIBED, subject);
        // Asked again after concat: it accepts dead sources without a word.
        ParityProof drafting = prover.prove(drafted, sources.unchanged(inode, manifest));
        steps.reached(RaidStep.VERIFIED, subject);
        cluster.fence().pass();
        ParityFile committed = draft.commit();
        steps.reached(RaidStep.COMMITTED, subject);
        proof = drafting.committedAs(committed);
      }
    } catch (ManifestTooLargeException e) {
      return RaidOutcome.left(
          FileState.LEFT, new LeftAlone(Reason.MANIFEST_TOO_LARGE, e.getMessage()));
    } catch (LeftAlone left) {
      return RaidOutcome.left(FileState.LEFT, left);
    } catch (IOException e) {
      return RaidOutcome.left(FileState.LEFT, refused(e));
    }
    ParityProof proven = proof;
    return reduceWhenAdmitted(inode, proof.parity(), () -> proven)
        .withEncoded(source.length())
        .adding(read.toString());
  }

  /**
   * What HDFS refused before anything was committed, as a reason.
   *
   * @throws IOException the failure itself, when it is none of these
   */
  private LeftAlone refused(IOException failure) throws IOException {
    Obstacle obstacle = cluster.parity().obstacle(failure).orElseThrow(() -> failure);
    Reason reason =
        switch (obstacle) {
          case READ_ONLY -> Reason.READ_ONLY;
          case QUOTA -> Reason.QUOTA_EXCEEDED;
          case SPACE -> Reason.NOT_ENOUGH_SPACE;
        };
    return new LeftAlone(
        reason, String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
  }

  /** A source that cannot be read because it is not the same any more is no failure of HDFS. */
  private Manifest encode(
      LocatedFile source,
      ErasureCodec codec,
      Protection protection,
      ParityDraft draft,
      RaidProgress progress)
      throws IOException, LeftAlone {
    try {
      return builder.build(source, codec, protection, draft, progress);
    } catch (IOException e) {
      boolean changed =
          cluster
              .namespace()
              .file(source.inode())
              .filter(now -> now.contents().equals(source.contents()))
              .isEmpty();
      if (changed) {
        throw new LeftAlone(
            Reason.CHANGED_WHILE_ENCODING, "It changed while it was read: " + e.getMessage());
      }
      throw e;
    }
  }

  /**
   * An earlier attempt ended after its commit: prove it again, for hours may have passed, and part
   * what has come to lie together. The caller holds the claim.
   */
  RaidOutcome reduceCommitted(long inode, ParityFile committed) throws IOException {
    return reduceWhenAdmitted(
        inode,
        committed,
        () -> {
          Manifest manifest = committed.manifest();
          LocatedFile source = sources.unchanged(inode, manifest);
          ParityFile parity = separation.separate(committed, Map.of(inode, source));
          // Moves take their time, and replicas of the source may have come and gone.
          return prover.prove(
              parity, parity.equals(committed) ? source : sources.unchanged(inode, manifest));
        });
  }

  /** Gives the proof on which replication is lowered. */
  private interface Proving {
    ParityProof prove() throws IOException, LeftAlone;
  }

  /** Asked first, for proving costs a question to every replica, and a file may wait for hours. */
  private RaidOutcome reduceWhenAdmitted(long inode, ParityFile parity, Proving proving)
      throws IOException {
    Manifest manifest = parity.manifest();
    if (!unaudited.admit(inode, manifest.stripes().size())) {
      return RaidOutcome.at(
              FileState.COMMITTED,
              "Waits until fewer stripes are unaudited (now %d)".formatted(unaudited.total()))
          .under(parity);
    }
    boolean mayBeReduced = false;
    try {
      reductions.begin(parity);
      ParityProof proof = proving.prove();
      sources.unchanged(inode, manifest);
      requireWhole(inode, proof);
      cluster.fence().pass();
      mayBeReduced = true; // also if the answer is lost
      reduce(inode, proof);
    } catch (LeftAlone left) {
      return RaidOutcome.left(FileState.COMMITTED, left).under(parity);
    } finally {
      if (!mayBeReduced) {
        unaudited.audited(inode);
      }
    }
    steps.reached(RaidStep.REDUCED, "inode " + inode);
    cluster.parity().mark(inode, ParityPhase.REDUCED);
    steps.reached(RaidStep.MARKED, "inode " + inode);
    return RaidOutcome.at(
            FileState.REDUCED,
            "Replication lowered from %d to %d; waits until the excess replicas are gone"
                .formatted(manifest.originalReplication(), manifest.targetReplication()))
        .under(parity);
  }

  /**
   * Lowers the replication: the point of no return. Source and parity were checked right before,
   * and the fence was passed.
   */
  private void reduce(long inode, ParityProof proof) throws IOException {
    Manifest manifest = proof.parity().manifest();
    reduction.lower(inode, inode, manifest);
    boolean stillThere =
        cluster
            .parity()
            .find(inode)
            .filter(now -> now.file().inode() == proof.parity().file().inode())
            .isPresent();
    if (!stillThere) {
      cluster.namespace().setReplication(inode, manifest.originalReplication());
      unaudited.audited(inode);
      throw new IOException(
          "The parity of inode %d vanished while its replication was lowered; it was raised to %d again"
              .formatted(inode, manifest.originalReplication()));
    }
  }

  private void requireWhole(long inode, ParityProof proof) throws IOException, LeftAlone {
    ParityFile now =
        cluster
            .parity()
            .find(inode)
            .orElseThrow(() -> new LeftAlone(Reason.PARITY_NOT_WHOLE, "Its parity file is gone"));
    if (!now.manifest().equals(proof.parity().manifest())
        || !now.file().contents().equals(proof.parity().file().contents())) {
      throw new LeftAlone(
          Reason.PARITY_NOT_WHOLE, "Its parity file is not the one that was verified");
    }
    if (now.file().hasLostBlocks()) {
      throw new LeftAlone(Reason.PARITY_NOT_WHOLE, "A parity block was lost after it was verified");
    }
  }
}
