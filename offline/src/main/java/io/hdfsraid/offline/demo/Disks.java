package io.hdfsraid.offline.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.Path;

/** What lies on the disks of the DataNodes, by their own account. */
final class Disks {
  private static final Path ROOT = new Path("/");
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Checksums take 1/128 of the data; blocks have headers, directories take room. */
  private static final double CHECKSUMS = 1.01;

  private static final long ROOM_PER_NODE = 256 << 10;

  private Disks() {}

  /**
   * Bytes used, as soon as they are what the files of the namespace, with the replication they have
   * now, take: replicas are deleted and reported some time after they are superfluous.
   */
  static long used(EmbeddedHdfs hdfs) throws IOException {
    Scene.await(
        "the DataNodes have deleted the excess replicas",
        LIMIT,
        () -> {
          long files = hdfs.fileSystem().getContentSummary(ROOT).getSpaceConsumed();
          long most = (long) (files * CHECKSUMS) + hdfs.dataNodes().size() * ROOM_PER_NODE;
          long used = hdfs.dfsUsed();
          return files <= used && used <= most;
        });
    return hdfs.dfsUsed();
  }
}
