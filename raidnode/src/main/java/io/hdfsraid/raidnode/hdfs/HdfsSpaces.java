// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidnode.raiding.core.Spaces;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The space of the cluster as its DataNodes report it, and of directories by their space quotas.
 */
final class HdfsSpaces implements Spaces {
  private final DistributedFileSystem fs;

  HdfsSpaces(DistributedFileSystem fs) {
    this.fs = fs;
  }

  @Override
  public SpaceUsage of(CapacityRule rule) throws IOException {
    if (rule.directory().isEmpty()) {
      FsStatus status = fs.getStatus();
      // The capacity would be wrong: HDFS cannot use what other programs have on the disks.
      return new SpaceUsage(status.getUsed(), status.getUsed() + status.getRemaining(), 0);
    }
    String directory = rule.directory().get();
    try {
      QuotaUsage usage = fs.getQuotaUsage(new Path(directory));
      return new SpaceUsage(usage.getSpaceConsumed(), Math.max(0, usage.getSpaceQuota()), 0);
    } catch (FileNotFoundException e) {
      return new SpaceUsage(0, 0, 0);
    }
  }
}
