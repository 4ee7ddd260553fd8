// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import io.hdfsraid.recency.source.AccessTimeSetting;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Asks the active NameNode for its precision of access times, at its page {@code /conf}. */
public final class NameNodeAccessTimeSetting implements AccessTimeSetting {
  private static final String PRECISION = "dfs.namenode.accesstime.precision";

  private final DistributedFileSystem fs;
  private final HdfsPages web;

  public NameNodeAccessTimeSetting(DistributedFileSystem fs) {
    this.fs = fs;
    this.web = new HdfsPages(fs.getConf());
  }

  @Override
  public AccessTimeSetting.Answer ask() throws IOException {
    HdfsPages.Shown shown = web.one(HdfsPages.ofActive(fs), PRECISION);
    try {
      return new AccessTimeSetting.Answer(
          Duration.ofMillis(Long.parseLong(shown.value().strip())), shown.at());
    } catch (NumberFormatException e) {
      throw new IOException("The NameNode has '%s' for %s".formatted(shown.value(), PRECISION), e);
    }
  }
}
