// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.raidnode.mode.DecisionStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Keeps decisions as extended attributes of the root. */
public final class HdfsDecisions implements DecisionStore {
  private static final String PREFIX = "user.raid.decision.";

  private final DistributedFileSystem fs;
  private final Path root;
  private final Fence fence;

  public HdfsDecisions(DistributedFileSystem fs, String root, Fence fence) {
    this.fs = fs;
    this.root = new Path(root);
    this.fence = fence;
  }

  @Override
  public Map<String, String> read() throws IOException {
    Map<String, String> decisions = new HashMap<>();
    try {
      fs.getXAttrs(root)
          .forEach(
              (name, value) -> {
                if (name.startsWith(PREFIX)) {
                  decisions.put(
                      name.substring(PREFIX.length()), new String(value, StandardCharsets.UTF_8));
                }
              });
    } catch (FileNotFoundException e) {
      return Map.of(); // a daemon that has withdrawn has removed its root
    }
    return decisions;
  }

  @Override
  public void write(String name, Optional<String> value) throws IOException {
    fence.recheck();
    if (value.isPresent()) {
      fs.setXAttr(root, PREFIX + name, value.get().getBytes(StandardCharsets.UTF_8));
    } else {
      fs.removeXAttr(root, PREFIX + name);
    }
  }
}
