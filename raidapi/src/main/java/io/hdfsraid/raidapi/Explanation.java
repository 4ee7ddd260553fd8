package io.hdfsraid.raidapi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a file is treated as it is.
 *
 * @param file what is known about it
 * @param raid whether the policies, asked now, want it raided
 * @param reason the name of the reason when not
 * @param sentence the verdict for people
 * @param changesAt when the verdict would change by the passing of time
 * @param asked policies in order, up to the one that decided
 * @param bytesBefore what it occupies on disks
 * @param bytesAfter what it would occupy raided; empty when no policy applies
 * @param use when it was last used, and what else conditions ask about its place
 * @param acting when its policy may raid it; empty where it is no candidate
 * @param reheating how near it is to getting its replicas back; empty where it is not raided, or by
 *     a policy without such a rule
 * @param sources where the knowledge about accesses comes from
 */
public record Explanation(
    FileView file,
    boolean raid,
    Optional<String> reason,
    String sentence,
    Optional<Instant> changesAt,
    List<Asked> asked,
    long bytesBefore,
    Optional<Long> bytesAfter,
    Use use,
    Optional<Acting> acting,
    Optional<Reheating> reheating,
    List<SourceView> sources) {

  /**
   * When a policy may raid the file that it wants raided.
   *
   * @param nextRun when it looks for files next; empty where that is not known
   * @param space how full the space is for which it makes room, and whether it acts for it; empty
   *     where it always acts
   */
  public record Acting(
      String policy,
      RaidingOutlook.Hours hours,
      Optional<Instant> nextRun,
      Optional<String> space) {
    public Acting {
      space = Absent.toEmpty(space);
      nextRun = Absent.toEmpty(nextRun);
    }
  }

  /**
   * What a raided file lacks for getting its replicas back for being read again.
   *
   * @param policy whose rule it is
   * @param counted about so many accesses within that time, or since it was raided; empty where
   *     nothing counts them
   * @param accesses so many are needed
   * @param residentUntil it stays raided until then, however often it is read
   * @param coolUntil likewise, for having been reheated before; empty where that is over, or never
   *     was
   */
  public record Reheating(
      String policy,
      Optional<Double> counted,
      int accesses,
      Duration within,
      Instant residentUntil,
      Optional<Instant> coolUntil) {
    public Reheating {
      counted = Absent.toEmpty(counted);
      coolUntil = Absent.toEmpty(coolUntil);
    }
  }

  /**
   * How a file is used and where it lies.
   *
   * @param last when somebody last read or changed it, as far as is known
   * @param saidBy for people: who says so
   * @param accessesIn30Days an estimate; empty where nothing has counted an access to it
   * @param belowSnapshots whether there are snapshots of a directory above it; empty where nobody
   *     knows
   * @param snapshotReplication how many replicas a snapshot keeps of it; empty: none holds it
   * @param storagePolicy that counts for it; empty where nobody knows
   */
  public record Use(
      Optional<Instant> last,
      String saidBy,
      Optional<Double> accessesIn30Days,
      Optional<Boolean> belowSnapshots,
      Optional<Integer> snapshotReplication,
      Optional<String> storagePolicy) {
    /** Nothing is known. */
    public static final Use UNKNOWN =
        new Use(
            Optional.empty(),
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    public Use {
      last = Absent.toEmpty(last);
      saidBy = Absent.toEmpty(saidBy);
      accessesIn30Days = Absent.toEmpty(accessesIn30Days);
      belowSnapshots = Absent.toEmpty(belowSnapshots);
      snapshotReplication = Absent.toEmpty(snapshotReplication);
      storagePolicy = Absent.toEmpty(storagePolicy);
    }
  }

  /**
   * One policy, whether it speaks about the file, and why.
   *
   * @param conditions all that it asks for, where its paths match
   */
  public record Asked(String policy, boolean applies, String why, List<Answered> conditions) {
    public Asked {
      conditions = Absent.toEmpty(conditions);
    }
  }

  /**
   * One condition and its answer.
   *
   * @param answer YES, NO or UNKNOWN
   * @param changesAt when the answer would change by the passing of time
   */
  public record Answered(
      String key, String wanted, String answer, String detail, Optional<Instant> changesAt) {
    public Answered {
      changesAt = Absent.toEmpty(changesAt);
    }
  }

  public Explanation {
    reason = Absent.toEmpty(reason);
    sentence = Absent.toEmpty(sentence);
    changesAt = Absent.toEmpty(changesAt);
    asked = Absent.toEmpty(asked);
    bytesAfter = Absent.toEmpty(bytesAfter);
    use = use == null ? Use.UNKNOWN : use;
    acting = Absent.toEmpty(acting);
    reheating = Absent.toEmpty(reheating);
    sources = Absent.toEmpty(sources);
  }
}
