package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.placement.Spread;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import java.util.Objects;
import java.util.Optional;

/**
 * What came of working on a file.
 *
 * @param stage where it stands now
 * @param reason why it went no further; empty when it did, or is only waiting for HDFS
 * @param detail the same for a person, with numbers and names; may be empty
 * @param parity that protects it, as it was when this was found out
 * @param bytesEncoded source bytes read for encoding
 * @param unitsMoved replicas moved to spread its stripes
 * @param spread how its units lie, when that was looked at
 */
public record Outcome(
    Stage stage,
    Optional<Reason> reason,
    String detail,
    Optional<ParityFile> parity,
    long bytesEncoded,
    int unitsMoved,
    Optional<Spread> spread) {
  /**
   * There is no parity, which says nothing of replicas: whoever remembers that the file was raided
   * gives them back.
   */
  public static final Outcome WITHOUT_PARITY = at(Stage.REPLICATED, "It has no parity");

  public Outcome {
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(parity, "parity");
  }

  static Outcome at(Stage stage, String detail) {
    return new Outcome(stage, Optional.empty(), detail, Optional.empty(), 0, 0, Optional.empty());
  }

  static Outcome left(Stage stage, LeftAlone left) {
    return new Outcome(
        stage,
        Optional.of(left.reason()),
        left.getMessage(),
        Optional.empty(),
        0,
        0,
        Optional.empty());
  }

  Outcome under(ParityFile protection) {
    return new Outcome(
        stage, reason, detail, Optional.of(protection), bytesEncoded, unitsMoved, spread);
  }

  Outcome withEncoded(long bytes) {
    return new Outcome(stage, reason, detail, parity, bytes, unitsMoved, spread);
  }

  /** With more to say. */
  Outcome adding(String more) {
    return new Outcome(
        stage,
        reason,
        detail.isEmpty() ? more : detail + "; " + more,
        parity,
        bytesEncoded,
        unitsMoved,
        spread);
  }

  Outcome audited(int moves, Optional<Spread> found) {
    return new Outcome(stage, reason, detail, parity, bytesEncoded, moves, found);
  }
}
