package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.Fill;
import io.hdfsraid.raidnode.raid.Spaces;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The cluster as its DataNodes report it, and directories by their space quotas. */
final class HdfsSpaces implements Spaces {
  private final DistributedFileSystem fs;

  HdfsSpaces(DistributedFileSystem fs) {
    this.fs = fs;
  }

  @Override
  public Fill of(CapacityRule rule) throws IOException {
    if (rule.directory().isEmpty()) {
      FsStatus status = fs.getStatus();
      // Not its capacity: what others have on the disks is no room for HDFS.
      return new Fill(status.getUsed(), status.getUsed() + status.getRemaining(), 0);
    }
    String directory = rule.directory().get();
    try {
      QuotaUsage usage = fs.getQuotaUsage(new Path(directory));
      return new Fill(usage.getSpaceConsumed(), Math.max(0, usage.getSpaceQuota()), 0);
    } catch (FileNotFoundException e) {
      return new Fill(0, 0, 0);
    }
  }
}
