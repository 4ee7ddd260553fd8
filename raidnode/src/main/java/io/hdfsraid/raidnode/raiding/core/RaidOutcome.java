// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.blockfixer.placement.FilePlacement;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of working on a file.
 *
 * @param state the state of the file now
 * @param reason why the work went no further; empty if it did, or if it only waits for HDFS
 * @param detail the same for a person, with numbers and names; may be empty
 * @param parity the parity that protects the file, as it was at the time of the outcome; of a file
 *     that is {@link FileState#LEFT}, the parity that was retired with this step
 * @param bytesEncoded source bytes read for encoding
 * @param unitsMoved replicas moved to spread its stripes
 * @param spread how the units are spread over nodes and racks, if that was checked
 */
public record RaidOutcome(
    FileState state,
    Optional<Reason> reason,
    String detail,
    Optional<ParityFile> parity,
    long bytesEncoded,
    int unitsMoved,
    Optional<FilePlacement> spread) {
  /**
   * There is no parity. This says nothing about replicas: a caller that knows the file was raided
   * must restore its replication.
   */
  public static final RaidOutcome WITHOUT_PARITY = at(FileState.LEFT, "It has no parity");

  public RaidOutcome {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(parity, "parity");
  }

  public static RaidOutcome at(FileState state, String detail) {
    return new RaidOutcome(
        state, Optional.empty(), detail, Optional.empty(), 0, 0, Optional.empty());
  }

  public static RaidOutcome left(FileState state, LeftAlone left) {
    return new RaidOutcome(
        state,
        Optional.of(left.reason()),
        left.getMessage(),
        Optional.empty(),
        0,
        0,
        Optional.empty());
  }

  /** A file was not raided because it has this parity, which stays as it is. */
  public static RaidOutcome alreadyRaided(ParityFile parity) {
    FileState state =
        switch (parity.phase()) {
          case COMMITTED -> FileState.COMMITTED;
          case REDUCED -> FileState.REDUCED;
          case UNRAIDING -> FileState.UNRAIDING;
        };
    return left(state, LeftAlone.alreadyRaided(parity)).under(parity);
  }

  public RaidOutcome under(ParityFile protection) {
    return new RaidOutcome(
        state, reason, detail, Optional.of(protection), bytesEncoded, unitsMoved, spread);
  }

  public RaidOutcome withEncoded(long bytes) {
    return new RaidOutcome(state, reason, detail, parity, bytes, unitsMoved, spread);
  }

  /** With more to say. */
  public RaidOutcome adding(String more) {
    return new RaidOutcome(
        state,
        reason,
        detail.isEmpty() ? more : detail + "; " + more,
        parity,
        bytesEncoded,
        unitsMoved,
        spread);
  }

  public RaidOutcome audited(int moves, Optional<FilePlacement> found) {
    return new RaidOutcome(state, reason, detail, parity, bytesEncoded, moves, found);
  }
}
