package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;

/** Of {@code RealHdfs.BLOCK} bytes. */
class BlocksOfOneWindowTest extends DistributedRaidFileSystemTest {
  BlocksOfOneWindowTest(EmbeddedHdfs hdfs) {
    super(RealHdfs.BLOCK, hdfs);
  }
}
