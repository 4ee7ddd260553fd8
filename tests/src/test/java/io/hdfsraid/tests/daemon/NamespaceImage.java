// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Everything that a plain client sees of a namespace: what is where, with which rights, times,
 * replication, attributes and blocks. Two images are equal when nobody can tell the namespaces
 * apart; where replicas lie is not part of it.
 */
record NamespaceImage(Map<String, String> entries) {

  static NamespaceImage of(DistributedFileSystem fs) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    add(fs, new Path("/"), entries);
    return new NamespaceImage(entries);
  }

  private static void add(DistributedFileSystem fs, Path directory, Map<String, String> entries)
      throws IOException {
    for (FileStatus status : fs.listStatus(directory)) {
      Path path = status.getPath();
      String name = path.toUri().getPath();
      entries.put(name, describe(fs, status, name));
      if (status.isDirectory()) {
        add(fs, path, entries);
      }
    }
  }

  private static String describe(DistributedFileSystem fs, FileStatus status, String name)
      throws IOException {
    Map<String, String> attributes = new TreeMap<>();
    fs.getXAttrs(status.getPath())
        .forEach((key, value) -> attributes.put(key, HexFormat.of().formatHex(value)));
    String common =
        "%s:%s %s %s"
            .formatted(status.getOwner(), status.getGroup(), status.getPermission(), attributes);
    return status.isDirectory()
        ? "directory " + common
        : "file %s length=%d replication=%d modified=%d accessed=%d %s"
            .formatted(
                common,
                status.getLen(),
                status.getReplication(),
                status.getModificationTime(),
                status.getAccessTime(),
                blocks(fs, name));
  }

  private static List<String> blocks(DistributedFileSystem fs, String name) throws IOException {
    return fs.getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
        .map(LocatedBlock::getBlock)
        .map(
            block ->
                "blk_%d_%d:%d"
                    .formatted(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes()))
        .toList();
  }
}
