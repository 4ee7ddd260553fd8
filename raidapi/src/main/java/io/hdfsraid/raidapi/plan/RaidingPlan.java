// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.windows.WindowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the policies have still to do, by the last evaluation of all files. No file is evaluated
 * anew. Files that are already under parity do not count.
 *
 * @param counted when the evaluation began
 * @param files number of files that it found, files under parity included
 * @param engine what encodes: {@code local} for the daemon, {@code yarn} for containers of YARN
 * @param bytesPerSecond limit of bytes that the engine reads and writes; 0 for no limit
 * @param policies the policies that raid, in the order in which they are asked
 * @param skipped files that stay as they are, by reason; most bytes first
 * @param smallFiles skipped files that are too small: below {@code minSize}, or without other files
 *     to share parity with
 */
public record RaidingPlan(
    Instant counted,
    long files,
    String engine,
    long bytesPerSecond,
    List<PolicyPlan> policies,
    List<SavingsReport.Skipped> skipped,
    SavingsReport.Skipped smallFiles) {

  /**
   * What one policy has still to do.
   *
   * @param candidates the files that it has still to raid
   * @param taken files that count no more because raiding has taken them up since the evaluation:
   *     they are raided, under way, or turned out not to be worth it
   * @param time time that its files take at {@link #bytesPerSecond} if nothing else is raided;
   *     empty without a limit
   * @param window whether the policy may act now
   * @param capacity the rule about the fill level at which the policy acts; empty if it always acts
   * @param space the fill level now, and whether the policy acts for it; empty without such a rule
   */
  public record PolicyPlan(
      String policy,
      Candidates candidates,
      Taken taken,
      @JsonProperty("timeSeconds") Optional<Duration> time,
      WindowStatus window,
      Optional<String> capacity,
      Optional<String> space) {
    public PolicyPlan {
      policy = Absent.toEmpty(policy);
      taken = taken == null ? Taken.NONE : taken;
      time = Absent.toEmpty(time);
      capacity = Absent.toEmpty(capacity);
      space = Absent.toEmpty(space);
    }
  }

  /**
   * Files that are to be raided.
   *
   * @param logicalBytes lengths of the files
   * @param beforeBytes bytes on disk now, all replicas
   * @param afterBytes bytes on disk after raiding, parity included
   * @param objects inodes and blocks of parity that the NameNode will hold in addition
   */
  public record Candidates(
      long files, long logicalBytes, long beforeBytes, long afterBytes, long objects) {
    public static final Candidates NONE = new Candidates(0, 0, 0, 0, 0);

    /** Returns the bytes that raiding these files saves on disk. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long saving() {
      return beforeBytes - afterBytes;
    }

    public Candidates plus(Candidates other) {
      return new Candidates(
          files + other.files,
          logicalBytes + other.logicalBytes,
          beforeBytes + other.beforeBytes,
          afterBytes + other.afterBytes,
          objects + other.objects);
    }
  }

  /**
   * Files that raiding has taken up.
   *
   * @param logicalBytes lengths of the files
   */
  public record Taken(long files, long logicalBytes) {
    public static final Taken NONE = new Taken(0, 0);
  }

  public RaidingPlan {
    engine = Absent.toEmpty(engine);
    policies = Absent.toEmpty(policies);
    skipped = Absent.toEmpty(skipped);
  }
}
