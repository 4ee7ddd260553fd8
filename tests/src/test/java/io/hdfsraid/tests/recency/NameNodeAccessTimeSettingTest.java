// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.hdfs.ExternalAuthorizer;
import io.hdfsraid.recency.hdfs.HdfsPages;
import io.hdfsraid.recency.hdfs.NameNodeAccessTimeSetting;
import io.hdfsraid.recency.source.AccessTimeSetting;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameNodeAccessTimeSettingTest {
  private static final String AUTHORIZER = ExternalAuthorizer.PROVIDER;

  /** Leaves everything to HDFS. */
  public static final class Authorizer extends INodeAttributeProvider {
    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public INodeAttributes getAttributes(String[] path, INodeAttributes inode) {
      return inode;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void thePrecisionIsThatOfTheNameNodeAndNotOfTheClient(int millis) throws IOException {
    EmbeddedHdfs.Builder cluster =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .set("dfs.namenode.accesstime.precision", Integer.toString(millis));
    if (millis != 0) {
      cluster.set(AUTHORIZER, Authorizer.class.getName());
    }
    try (EmbeddedHdfs hdfs = cluster.start()) {
      Configuration client = hdfs.configuration();
      client.unset("dfs.namenode.accesstime.precision");
      try (DistributedFileSystem fs =
          (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), client)) {
        Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        AccessTimeSetting.Answer answer = new NameNodeAccessTimeSetting(fs).ask();
        assertThat(answer.precision()).isEqualTo(Duration.ofMillis(millis));
        assertThat(answer.at())
            .hasValueSatisfying(at -> assertThat(at).isBetween(before, Instant.now()));
        assertThat(
                new HdfsPages(client)
                    .find(HdfsPages.ofActive(fs), AUTHORIZER)
                    .map(HdfsPages.Shown::value)
                    .filter(name -> !name.isEmpty()))
            .isEqualTo(millis == 0 ? Optional.empty() : Optional.of(Authorizer.class.getName()));
        assertThat(new HdfsPages(client).find(HdfsPages.ofActive(fs), "no.such.setting")).isEmpty();
        assertThat(new HdfsPages(client).dataNodeVersions(HdfsPages.ofActive(fs)))
            .isEqualTo(Map.of(VersionInfo.getVersion(), 1));
        Path file = new Path("/f");
        fs.create(file).close();
        try (FSDataInputStream in = fs.open(file)) {
          assertThat(in.read()).isEqualTo(-1);
        }
        if (millis == 0) {
          assertThat(fs.getFileStatus(file).getAccessTime())
              .as("that of its creation")
              .isLessThanOrEqualTo(fs.getFileStatus(file).getModificationTime());
        }
        client.set("dfs.namenode.http-address", "127.0.0.1:1");
      }
      try (DistributedFileSystem blind =
          (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), client)) {
        NameNodeAccessTimeSetting times = new NameNodeAccessTimeSetting(blind);
        assertThatThrownBy(times::ask).isInstanceOf(IOException.class);
      }
    }
  }
}
