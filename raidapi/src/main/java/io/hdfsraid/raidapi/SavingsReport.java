package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * What raiding saves below a path.
 *
 * <p>Expected bytes follow from lengths and replication counts, as the last scan saw them. Realised
 * bytes are those of the replicas that the NameNode lists now, replicas that only a snapshot keeps
 * included: of all files under parity, or of a sample of them.
 *
 * @param total over everything below the path
 * @param policies by the policy that raided
 * @param directories by directory, down to the depth asked for; those with most bytes first,
 *     bounded
 * @param codecs by erasure code
 * @param left files that are not under parity, by reason; most bytes first
 * @param smallFiles those of them that one file's own stripes would not pay for
 * @param realised how the realised bytes were found
 */
public record SavingsReport(
    String path,
    Instant checked,
    Row total,
    List<Row> policies,
    List<Row> directories,
    List<Row> codecs,
    List<Left> left,
    Left smallFiles,
    Realised realised) {

  /**
   * Files under parity that have something in common.
   *
   * @param name of what: a policy, a directory, a codec
   * @param logicalBytes lengths of the files
   * @param beforeBytes on disk before they were raided, or what they would occupy
   * @param expectedBytes on disk now by replication and parity, all replicas
   * @param parityBytes the part of it that is parity
   * @param sampledFiles how many were looked at for the realised bytes
   * @param realisedBytes on disk now by what the NameNode lists; an estimate where not all files
   *     were looked at; 0 where none was
   */
  public record Row(
      String name,
      long files,
      long logicalBytes,
      long beforeBytes,
      long expectedBytes,
      long parityBytes,
      long sampledFiles,
      long realisedBytes) {
    public Row {
      name = Absent.toEmpty(name);
    }

    /** What was expected to be saved; negative when it costs. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long expectedSaving() {
      return beforeBytes - expectedBytes;
    }

    /** What is saved on disk; 0 where nothing was looked at. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long realisedSaving() {
      return sampledFiles == 0 ? 0 : beforeBytes - realisedBytes;
    }
  }

  /** Files that are not under parity, with what they have in common. */
  public record Left(String reason, long files, long logicalBytes, long physicalBytes) {
    public Left {
      reason = Absent.toEmpty(reason);
    }
  }

  /**
   * How the realised bytes were found.
   *
   * @param complete whether every file under parity was looked at
   * @param files how many were
   * @param ofFiles how many there are
   * @param excessFiles those of the files looked at that occupy more than expected: in snapshots,
   *     or with replicas that HDFS has not dropped yet
   */
  public record Realised(boolean complete, long files, long ofFiles, long excessFiles) {}

  public SavingsReport {
    policies = Absent.toEmpty(policies);
    directories = Absent.toEmpty(directories);
    codecs = Absent.toEmpty(codecs);
    left = Absent.toEmpty(left);
  }
}
