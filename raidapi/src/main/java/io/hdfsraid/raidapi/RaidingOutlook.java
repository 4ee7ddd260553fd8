package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the policies will do, by the last count of all files: nothing is looked at anew. Without the
 * files that are under parity already.
 *
 * @param counted when that count began
 * @param files all that it found, those under parity included
 * @param bytesPerSecond that raiding may read and write; 0: as many as it can
 * @param policies those that raid, in the order in which they are asked
 * @param left files that stay as they are, by reason; most bytes first
 * @param smallFiles those of them that are left for being small: below {@code minSize}, or without
 *     company
 */
public record RaidingOutlook(
    Instant counted,
    long files,
    long bytesPerSecond,
    List<PolicyOutlook> policies,
    List<SavingsReport.Left> left,
    SavingsReport.Left smallFiles) {

  /**
   * What one policy will do.
   *
   * @param time that its files take at {@link #bytesPerSecond}, when nothing else is raided; empty
   *     where there is no such bound
   * @param capacity how full which space must be for it to act; empty: it always acts
   * @param space how full that is now, and whether it acts for it; empty likewise
   */
  public record PolicyOutlook(
      String policy,
      Candidates candidates,
      Optional<Duration> time,
      Hours hours,
      Optional<String> capacity,
      Optional<String> space) {
    public PolicyOutlook {
      policy = Absent.toEmpty(policy);
      time = Absent.toEmpty(time);
      capacity = Absent.toEmpty(capacity);
      space = Absent.toEmpty(space);
    }
  }

  /**
   * Files that are to be raided.
   *
   * @param logicalBytes lengths of the files
   * @param beforeBytes on disk now, all replicas
   * @param afterBytes on disk once they are raided, parity and all
   * @param objects inodes and blocks of parity that the NameNode will have to remember besides
   */
  public record Candidates(
      long files, long logicalBytes, long beforeBytes, long afterBytes, long objects) {
    public static final Candidates NONE = new Candidates(0, 0, 0, 0, 0);

    /** What raiding them saves on disk. */
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
   * Whether a policy may act now.
   *
   * @param percent of its speed
   * @param until when that changes; empty: never, as things are
   * @param why for people
   */
  public record Hours(boolean open, int percent, Optional<Instant> until, String why) {
    public Hours {
      until = Absent.toEmpty(until);
      why = Absent.toEmpty(why);
    }
  }

  public RaidingOutlook {
    policies = Absent.toEmpty(policies);
    left = Absent.toEmpty(left);
  }
}
