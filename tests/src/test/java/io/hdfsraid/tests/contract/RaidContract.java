// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** What {@code contract/raid.xml} says, on one file system. */
final class RaidContract extends AbstractFSContract {
  private final FileSystem fileSystem;

  RaidContract(Configuration conf, FileSystem fileSystem) {
    super(conf);
    this.fileSystem = fileSystem;
    addConfResource("contract/raid.xml");
  }

  @Override
  public FileSystem getTestFileSystem() {
    return fileSystem;
  }

  @Override
  public String getScheme() {
    return "hdfs";
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }

  @Override
  public void teardown() throws IOException {
    // The cluster serves the next test, too.
  }
}
