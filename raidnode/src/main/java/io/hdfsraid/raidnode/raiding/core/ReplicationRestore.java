// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.namespace.QuotaRefusedException;
import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.util.Optional;

/** Raises the replication of files, where quotas allow it. */
public final class ReplicationRestore {
  private final ClusterAccess cluster;

  public ReplicationRestore(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /**
   * Raises the replication of a file if it is lower. It asks the NameNode again, because the caller
   * may know an old state, and it never lowers a replication that a user has raised meanwhile.
   *
   * @return why it could not be raised, such as a quota; the caller tries again later
   */
  public Optional<LeftAlone> raise(long inode, int replication) throws IOException {
    cluster.fence().recheckForRaise();
    if (cluster
        .namespace()
        .file(inode)
        .filter(file -> file.replication() >= replication)
        .isPresent()) {
      return Optional.empty();
    }
    try {
      cluster.namespace().setReplication(inode, replication);
      return Optional.empty();
    } catch (QuotaRefusedException e) {
      return Optional.of(
          new LeftAlone(
              Reason.QUOTA_EXCEEDED,
              "Its replication cannot be raised to %d, so its parity stays; raise the quota: %s"
                  .formatted(replication, e.getMessage())));
    }
  }
}
