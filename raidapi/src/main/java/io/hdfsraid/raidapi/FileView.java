package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.Optional;

/**
 * A file as the daemon knows it.
 *
 * @param path where it was last seen; the inode is what identifies it
 * @param length in bytes
 * @param policy the one that speaks about it
 * @param codec what it is protected with, or would be
 * @param reason why it is in this state, a name of the reasons of policies; empty where the state
 *     says all
 * @param detail the reason in this case, for people; may be empty
 * @param since when it got into this state
 * @param replication what HDFS says it has
 * @param targetReplication what its policy gives, or gave, it
 * @param parityBytes all replicas of its parity; 0 without
 * @param lastAccess empty when no source tells
 * @param group the number of the group whose parity it shares; empty for parity of its own. Text,
 *     for it has more digits than a number in JavaScript can hold
 */
public record FileView(
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
    Optional<String> group) {
  public FileView {
    policy = Absent.toEmpty(policy);
    codec = Absent.toEmpty(codec);
    reason = Absent.toEmpty(reason);
    detail = Absent.toEmpty(detail);
    since = Absent.toEmpty(since);
    targetReplication = Absent.toEmpty(targetReplication);
    lastAccess = Absent.toEmpty(lastAccess);
    modified = Absent.toEmpty(modified);
    group = Absent.toEmpty(group);
  }
}
