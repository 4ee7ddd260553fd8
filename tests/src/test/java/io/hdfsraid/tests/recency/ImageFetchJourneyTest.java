// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.recency.ImageOrigin;
import io.hdfsraid.recency.fsimage.FsImage;
import io.hdfsraid.recency.hdfs.ImageFetch;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of a pair of NameNodes, over HTTP. */
@Tag("full")
class ImageFetchJourneyTest {
  private static final ImageFetch.Progress QUIET = (latest, received, all) -> {};

  @TempDir java.nio.file.Path directory;

  @Test
  void theStandbysImageIsTakenAndTheActiveOnesWhenThereIsNoStandby() throws Exception {
    try (EmbeddedHdfs hdfs = EmbeddedHdfs.builder().dataNodes(1).withNameNodePair().start()) {
      ImageFetch fetch = new ImageFetch(hdfs.uri(), hdfs.configuration());
      requireMade(hdfs.fileSystem().mkdirs(new Path("/of the active one only")));
      save(hdfs.fileSystem());

      ImageFetch.Fetched first = fetch.fetch(directory, ImageOrigin.ANY, QUIET);
      assertThat(first.from()).isEqualTo(http(hdfs, "nn1"));
      assertThat(paths(first)).doesNotContain("/of the active one only");
      ImageFetch.Fetched active = fetch.fetch(directory, ImageOrigin.ACTIVE, QUIET);
      assertThat(active.from()).isEqualTo(http(hdfs, "nn0"));
      assertThat(paths(active)).contains("/of the active one only");

      hdfs.failOver();
      assertThat(fetch.fetch(directory, ImageOrigin.ANY, QUIET).from())
          .as("nn1 is active now")
          .isEqualTo(http(hdfs, "nn0"));

      requireMade(hdfs.fileSystem().mkdirs(new Path("/of the last one")));
      save(hdfs.fileSystem());
      hdfs.stopStandby();
      ImageFetch.Fetched last = fetch.fetch(directory, ImageOrigin.ANY, QUIET);
      assertThat(last.from()).isEqualTo(http(hdfs, "nn1"));
      assertThat(paths(last)).contains("/of the active one only", "/of the last one");
      assertThat(FsImage.open(last.file()).transaction())
          .isGreaterThan(FsImage.open(first.file()).transaction());
    }
  }

  @Test
  void aNameNodeWithoutAnotherGivesItsOwn() throws IOException {
    try (EmbeddedHdfs hdfs = EmbeddedHdfs.builder().dataNodes(1).start()) {
      requireMade(hdfs.fileSystem().mkdirs(new Path("/a")));
      save(hdfs.fileSystem());
      ImageFetch.Fetched fetched =
          new ImageFetch(hdfs.uri(), hdfs.configuration()).fetch(directory, ImageOrigin.ANY, QUIET);
      assertThat(fetched.from()).hasPort(hdfs.httpUri().getPort());
      assertThat(paths(fetched)).containsExactly("", "/a");
    }
  }

  private static Iterable<String> paths(ImageFetch.Fetched fetched) throws IOException {
    return ReadImage.of(fetched.file()).byPath().keySet();
  }

  private static URI http(EmbeddedHdfs hdfs, String nameNode) {
    Configuration conf = hdfs.configuration();
    return URI.create("http://" + conf.get("dfs.namenode.http-address.embedded." + nameNode));
  }

  private static void save(FileSystem of) throws IOException {
    DistributedFileSystem fs = (DistributedFileSystem) of;
    requireMade(fs.setSafeMode(SafeModeAction.ENTER));
    requireMade(fs.saveNamespace(0, 0));
    requireMade(!fs.setSafeMode(SafeModeAction.LEAVE));
  }

  private static void requireMade(boolean done) {
    assertThat(done).isTrue();
  }
}
