// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.files;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.FileState;
import java.time.Instant;
import java.util.Optional;

/**
 * A file as the daemon knows it.
 *
 * @param path last known path; the inode id identifies the file
 * @param length in bytes
 * @param policy the policy that applies to the file
 * @param codec the codec that protects the file, or would protect it
 * @param reason name of the reason for this state; empty if the state says everything
 * @param detail the reason in this case, for people; may be empty
 * @param since when the file got into this state
 * @param replication the replication that HDFS shows
 * @param targetReplication the replication that the policy gives, or gave, to the file
 * @param parityBytes bytes of all replicas of its parity; 0 without parity
 * @param lastAccess last known access; empty if no source knows one
 * @param group id of the group whose parity the file shares; empty if the file has its own parity.
 *     A text, because JavaScript's numbers do not hold all its digits
 * @param clientPath the path by which clients of the configured routers find the file; empty if
 *     there is no router, or its mount table does not show the file
 */
public record FileSummary(
    long inode,
    String path,
    long length,
    int blocks,
    FileState state,
    Optional<String> policy,
    Optional<String> codec,
    Optional<String> reason,
    String detail,
    Optional<Instant> since,
    int replication,
    Optional<Integer> targetReplication,
    int stripes,
    long parityBytes,
    Optional<Instant> lastAccess,
    Optional<Instant> modified,
    Optional<String> group,
    Optional<String> clientPath) {
  public FileSummary {
    policy = Absent.toEmpty(policy);
    codec = Absent.toEmpty(codec);
    reason = Absent.toEmpty(reason);
    detail = Absent.toEmpty(detail);
    since = Absent.toEmpty(since);
    targetReplication = Absent.toEmpty(targetReplication);
    lastAccess = Absent.toEmpty(lastAccess);
    modified = Absent.toEmpty(modified);
    group = Absent.toEmpty(group);
    clientPath = Absent.toEmpty(clientPath);
  }
}
