// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.SourceCheck;
import io.hdfsraid.raidnode.raiding.file.ParityBuilder;
import io.hdfsraid.raidnode.raiding.file.ParityProof;
import io.hdfsraid.raidnode.raiding.file.ParityProver;
import io.hdfsraid.raidnode.raiding.file.ParitySeparation;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Encodes the parity of a group: encode, describe, verify, commit. A file that turns out to be
 * unfit is left out, and the group is made without it. Replication is not lowered here.
 */
public final class GroupEncoder {
  /**
   * How often encoding is begun before it is given up. Each attempt reads everything again, and a
   * directory whose files keep changing is not cold.
   */
  private static final int ATTEMPTS = 3;

  private final ClusterAccess cluster;
  private final Function<String, ErasureCodec> codecs;
  private final ParityBuilder builder;
  private final ParityProver prover;
  private final ParitySeparation separation;
  private final SourceCheck sources;
  private final Memberships memberships;
  private final RandomGenerator random;
  private final StepListener steps;

  public GroupEncoder(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      ParityBuilder builder,
      ParityProver prover,
      ParitySeparation separation,
      Memberships memberships,
      RandomGenerator random,
      StepListener steps) {
    this.cluster = cluster;
    this.codecs = codecs;
    this.builder = builder;
    this.prover = prover;
    this.separation = separation;
    this.sources = new SourceCheck(cluster.namespace());
    this.memberships = memberships;
    this.random = random;
    this.steps = steps;
  }

  /** Returns an id for a new group. */
  GroupId freshGroup() {
    return GroupId.fresh(random);
  }

  /**
   * What was made.
   *
   * @param proof of the committed parity; empty when too few files were left for a group
   * @param leftOut why files are not in it, by inode id
   */
  record Encoded(Optional<ParityProof> proof, Map<Long, LeftAlone> leftOut) {}

  /**
   * Commits parity for those of the files that are fit.
   *
   * @param files as they were just seen, fit to be encoded
   * @param originalReplication what they had before anything protected them
   * @param worthwhile whether a group of these files is worth its parity
   * @throws LeftAlone when nothing could be made of any of them
   */
  Encoded encode(
      GroupId group,
      Collection<LocatedFile> files,
      Protection protection,
      int originalReplication,
      Function<List<LocatedFile>, Optional<LeftAlone>> worthwhile,
      RaidProgress progress)
      throws IOException, LeftAlone {
    Map<Long, LocatedFile> fit = new TreeMap<>();
    files.forEach(file -> fit.put(file.inode(), file));
    Map<Long, LeftAlone> leftOut = new TreeMap<>();
    requireNodes(codecs.apply(protection.codec()), files);
    for (int attempt = 1; ; attempt++) {
      List<LocatedFile> together = List.copyOf(fit.values());
      Optional<LeftAlone> pointless = worthwhile.apply(together);
      if (pointless.isPresent()) {
        fit.keySet().forEach(inode -> leftOut.put(inode, pointless.get()));
        return new Encoded(Optional.empty(), leftOut);
      }
      try {
        return new Encoded(
            Optional.of(attempt(group, together, protection, originalReplication, progress)),
            leftOut);
      } catch (Unfit unfit) {
        fit.keySet().removeAll(unfit.files.keySet());
        leftOut.putAll(unfit.files);
        if (attempt == ATTEMPTS) {
          throw new LeftAlone(
              Reason.CHANGED_WHILE_ENCODING,
              "Files had to be left out each of %d times the group was encoded: %s"
                  .formatted(ATTEMPTS, reasons(leftOut)));
        }
      }
    }
  }

  private static Set<Reason> reasons(Map<Long, LeftAlone> leftOut) {
    return leftOut.values().stream()
        .map(LeftAlone::reason)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void requireNodes(ErasureCodec codec, Collection<LocatedFile> files)
      throws IOException, LeftAlone {
    int blocks = files.stream().mapToInt(file -> file.blocks().size()).sum();
    int dataUnits = Math.min(codec.shape().dataUnits(), blocks);
    int needed = dataUnits + codec.shape().parityUnits();
    long inService = cluster.namespace().nodes().stream().filter(NodeState::inService).count();
    if (inService < needed) {
      throw new LeftAlone(
          Reason.TOO_FEW_NODES,
          "A stripe of %s with %d data units needs %d DataNodes in service, but there are %d"
              .formatted(codec.name(), dataUnits, needed, inService));
    }
  }

  /** Some files are to be left out, by inode id. */
  private static final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Map<Long, LeftAlone> files;

    Unfit(Map<Long, LeftAlone> files) {
      this.files = files;
    }
  }

  private ParityProof attempt(
      GroupId group,
      List<LocatedFile> files,
      Protection protection,
      int originalReplication,
      RaidProgress progress)
      throws IOException, LeftAlone, Unfit {
    ErasureCodec codec = codecs.apply(protection.codec());
    String subject = group.toString();
    try (ParityDraft draft = cluster.parity().draft(group.value())) {
      Manifest manifest =
          build(group, files, codec, protection, originalReplication, draft, progress);
      steps.reached(RaidStep.ENCODED, subject);
      LocatedFile written = draft.concat(manifest.stripes().size() * codec.shape().parityUnits());
      ParityFile drafted =
          separation.separate(
              new ParityFile(written, manifest, ParityPhase.COMMITTED), byInode(files));
      draft.describe(manifest, files.get(0));
      steps.reached(RaidStep.DESCRIBED, subject);
      ParityProof drafting = prove(drafted, unchanged(manifest));
      steps.reached(RaidStep.VERIFIED, subject);
      List<Long> members = files.stream().map(LocatedFile::inode).toList();
      // Recorded before the commit, so that no task puts these files into another group after a
      // crash. The earlier generation protects its files until this one is committed.
      memberships.joined(
          group,
          members.stream()
              .filter(inode -> memberships.groupOf(inode).filter(group::isAfter).isEmpty())
              .toList());
      cluster.fence().pass();
      ParityFile committed = draft.commit();
      memberships.joined(group, members);
      steps.reached(RaidStep.COMMITTED, subject);
      return drafting.committedAs(committed);
    } catch (ManifestTooLargeException e) {
      throw new LeftAlone(Reason.MANIFEST_TOO_LARGE, e.getMessage());
    }
  }

  private static Map<Long, LocatedFile> byInode(List<LocatedFile> files) {
    return files.stream().collect(Collectors.toMap(LocatedFile::inode, file -> file));
  }

  private Manifest build(
      GroupId group,
      List<LocatedFile> files,
      ErasureCodec codec,
      Protection protection,
      int originalReplication,
      ParityDraft draft,
      RaidProgress progress)
      throws IOException, LeftAlone, Unfit {
    try {
      return builder.buildGroup(
          group, files, codec, protection, originalReplication, draft, progress);
    } catch (IOException e) {
      // A source that cannot be read because it is not the same any more is no failure of HDFS.
      Map<Long, LeftAlone> changed = new TreeMap<>();
      for (LocatedFile file : files) {
        boolean same =
            cluster
                .namespace()
                .file(file.inode())
                .filter(now -> now.contents().equals(file.contents()))
                .isPresent();
        if (!same) {
          changed.put(
              file.inode(),
              new LeftAlone(
                  Reason.CHANGED_WHILE_ENCODING,
                  "It changed while it was read: " + e.getMessage()));
        }
      }
      if (changed.isEmpty()) {
        throw e;
      }
      throw new Unfit(changed);
    } catch (LeftAlone left) {
      throw because(
          left,
          files.stream()
              .filter(file -> left.block().filter(file.contents()::contains).isPresent())
              .map(LocatedFile::inode)
              .findFirst());
    }
  }

  private Map<Long, LocatedFile> unchanged(Manifest manifest) throws IOException, Unfit {
    Map<Long, LocatedFile> members = new TreeMap<>();
    Map<Long, LeftAlone> changed = new TreeMap<>();
    for (var member : manifest.members()) {
      try {
        members.put(member.inode(), sources.unchanged(member.inode(), manifest));
      } catch (LeftAlone left) {
        changed.put(member.inode(), left);
      }
    }
    if (!changed.isEmpty()) {
      throw new Unfit(changed);
    }
    return members;
  }

  private ParityProof prove(ParityFile parity, Map<Long, LocatedFile> members)
      throws IOException, LeftAlone, Unfit {
    try {
      return prover.prove(parity, members);
    } catch (LeftAlone left) {
      throw because(left, left.block().flatMap(block -> memberWith(block, members)));
    }
  }

  private static Optional<Long> memberWith(Block block, Map<Long, LocatedFile> members) {
    return members.values().stream()
        .filter(file -> file.blocks().stream().map(LocatedBlock::block).anyMatch(block::equals))
        .map(LocatedFile::inode)
        .findFirst();
  }

  /** Turns an obstacle of one file into a reason to go on without that file. */
  private static Unfit because(LeftAlone left, Optional<Long> inode) throws LeftAlone {
    if (inode.isEmpty()) {
      throw left;
    }
    return new Unfit(Map.of(inode.get(), left));
  }
}
