// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.process.OwnerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the marks beside the lease of the owner file, its extended attributes, of which {@link
 * OwnerSight} tells the meaning. The NameNode asks for no lease here: whoever writes has to hold
 * it. Keeps no state.
 */
final class OwnerMarks {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerMarks.class);

  private final DistributedFileSystem fs;
  private final Path path;

  OwnerMarks(DistributedFileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  Map<String, byte[]> all() throws IOException {
    return fs.getXAttrs(path);
  }

  /** Returns the last holder; empty if it has not said which process it is. */
  Optional<OwnerProcess> process() throws IOException {
    return OwnerSight.process(all());
  }

  /** Says who holds the file now. */
  void name(OwnerProcess holder, long epoch) throws IOException {
    fs.setXAttr(path, OwnerSight.PROCESS, holder.toBytes());
    fs.setXAttr(path, OwnerSight.EPOCH, bytes(Long.toString(epoch)));
  }

  void write(Terms terms) throws IOException {
    fs.setXAttr(path, OwnerSight.TERMS, bytes(terms.lines()));
  }

  /** Sets a mark of this holder. */
  void set(String name, OwnerProcess holder, long epoch, Object value) throws IOException {
    fs.setXAttr(path, name, OwnerSight.mark(holder, epoch, value));
  }

  /** Removes the heartbeats of a former holder, as far as that can be done. */
  void removeBeats(Map<String, byte[]> present) {
    OwnerSight.BEATS.stream().filter(present::containsKey).forEach(this::remove);
  }

  /** Removes a mark, if there is one and it can be done. */
  void remove(String name) {
    try {
      fs.removeXAttr(path, name);
    } catch (IOException e) {
      LOG.debug("{} has no mark {}, or it could not be removed", path, name, e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
