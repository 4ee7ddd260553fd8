// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.policies;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.status.AccessSource;
import io.hdfsraid.raidapi.windows.WindowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why the daemon treats a file as it does.
 *
 * @param file what is known about the file
 * @param raid whether the policies want it raided now
 * @param reason name of the reason if they do not
 * @param sentence the verdict, for people
 * @param changesAt when the verdict changes by the passing of time
 * @param asked the policies in order, up to the one that decided
 * @param bytesBefore bytes that the file occupies on disks
 * @param bytesAfter bytes that it would occupy raided; empty if no policy applies
 * @param use when the file was last used, and other facts that conditions ask for
 * @param acting when its policy may raid it; empty if it is not a candidate
 * @param reheating how close it is to getting its replicas back; empty if it is not raided, or if
 *     its policy has no such rule
 * @param sources the sources of the knowledge about accesses
 */
public record FileExplanation(
    FileSummary file,
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
    List<AccessSource> sources) {

  /**
   * When a policy may raid the file.
   *
   * @param nextRun when the policy looks for files next; empty if unknown
   * @param space the fill level that the policy acts on, and whether it acts; empty if it always
   *     acts
   */
  public record Acting(
      String policy, WindowStatus window, Optional<Instant> nextRun, Optional<String> space) {
    public Acting {
      space = Absent.toEmpty(space);
      nextRun = Absent.toEmpty(nextRun);
    }
  }

  /**
   * How close a raided file is to getting its replicas back because it is read again.
   *
   * @param policy the policy whose rule this is
   * @param counted estimated accesses within that time, or since the file was raided; empty if no
   *     source counts them
   * @param accesses number of accesses that the rule needs
   * @param residentUntil the file stays raided until then, however often it is read
   * @param coolUntil the file stays raided until then because it was reheated before; empty if this
   *     is over or never was
   */
  public record Reheating(
      String policy,
      Optional<Double> counted,
      int accesses,
      @JsonProperty("withinSeconds") Duration within,
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
   * @param last last known access or change
   * @param saidBy the source of this, for people
   * @param accessesIn30Days an estimate; empty if no source has counted an access
   * @param belowSnapshots whether a directory above the file has snapshots; empty if unknown
   * @param snapshotReplication number of replicas that a snapshot keeps of the file; empty if no
   *     snapshot holds it
   * @param storagePolicy the storage policy in force for the file; empty if unknown
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
   * One policy, whether it applies to the file, and why.
   *
   * @param conditions all conditions of the policy, if its paths match
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
   * @param changesAt when the answer changes by the passing of time
   */
  public record Answered(
      String key, String wanted, String answer, String detail, Optional<Instant> changesAt) {
    public Answered {
      changesAt = Absent.toEmpty(changesAt);
    }
  }

  public FileExplanation {
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
