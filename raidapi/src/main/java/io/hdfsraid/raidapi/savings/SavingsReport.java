// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.savings;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;

/**
 * What raiding saves below a path.
 *
 * <p>Expected bytes follow from the lengths and replication counts that the last scan saw. Actual
 * bytes are those of the replicas that the NameNode lists now, including replicas that only a
 * snapshot keeps. They are measured for all files under parity or for a sample.
 *
 * @param total sums over everything below the path
 * @param policies sums by the policy that raided the files
 * @param directories sums by directory, down to the requested depth; most bytes first, bounded
 * @param codecs sums by erasure code
 * @param skipped files that are not under parity, by reason; most bytes first
 * @param smallFiles skipped files for which stripes of their own would not save space
 * @param measured how the actual bytes were measured
 */
public record SavingsReport(
    String path,
    Instant checked,
    Row total,
    List<Row> policies,
    List<Row> directories,
    List<Row> codecs,
    List<Skipped> skipped,
    Skipped smallFiles,
    Measured measured) {

  /**
   * Files under parity that have something in common.
   *
   * @param name a policy, a directory or a codec
   * @param logicalBytes lengths of the files
   * @param beforeBytes bytes on disk before raiding
   * @param expectedBytes bytes expected on disk now, all replicas and parity
   * @param parityBytes the part of the expected bytes that is parity
   * @param sampledFiles number of files that were measured
   * @param actualBytes bytes on disk by the replicas that the NameNode lists; an estimate if not
   *     all files were measured; 0 if none was
   */
  public record Row(
      String name,
      long files,
      long logicalBytes,
      long beforeBytes,
      long expectedBytes,
      long parityBytes,
      long sampledFiles,
      long actualBytes) {
    public Row {
      name = Absent.toEmpty(name);
    }

    /** Returns the expected saving; negative if raiding costs space. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long expectedSaving() {
      return beforeBytes - expectedBytes;
    }

    /** Returns the actual saving; 0 if no file was measured. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long actualSaving() {
      return sampledFiles == 0 ? 0 : beforeBytes - actualBytes;
    }
  }

  /** Files that are not under parity, for one reason. */
  public record Skipped(String reason, long files, long logicalBytes, long physicalBytes) {
    public Skipped {
      reason = Absent.toEmpty(reason);
    }
  }

  /**
   * How the actual bytes were measured.
   *
   * @param complete whether every file under parity was measured
   * @param files number of measured files
   * @param ofFiles number of files under parity
   * @param excessFiles measured files that occupy more than expected: snapshots hold them, or HDFS
   *     has not deleted excess replicas yet
   */
  public record Measured(boolean complete, long files, long ofFiles, long excessFiles) {}

  public SavingsReport {
    policies = Absent.toEmpty(policies);
    directories = Absent.toEmpty(directories);
    codecs = Absent.toEmpty(codecs);
    skipped = Absent.toEmpty(skipped);
  }
}
