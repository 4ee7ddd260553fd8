// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the degraded contract tests stand on. */
@ExtendWith(RealHdfs.class)
@Tag("full")
class DamageTest {
  private static final String ROOT = "/.raid-of-damage";

  @Test
  void plainHdfsCannotReadWhatIsDamaged(EmbeddedHdfs hdfs) throws IOException {
    byte[] bytes = RealHdfs.bytes(3, 2 * RealHdfs.BLOCK + 5);
    RealHdfs.write(hdfs.fileSystem(), "/damaged", 1, RealHdfs.BLOCK, bytes);
    try (Damage damage = new Damage(hdfs, ROOT, "rs-6-3")) {
      damage.to("/damaged");
    }
    try (FSDataInputStream in = hdfs.fileSystem().open(new Path("/damaged"))) {
      assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
    }
    Configuration conf = new Configuration(hdfs.configuration());
    conf.setClass("fs.hdfs.impl", DistributedRaidFileSystem.class, FileSystem.class);
    conf.set("raid.root", ROOT);
    try (FileSystem raid = FileSystem.newInstance(hdfs.uri(), conf);
        FSDataInputStream in = raid.open(new Path("/damaged"))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }
}
