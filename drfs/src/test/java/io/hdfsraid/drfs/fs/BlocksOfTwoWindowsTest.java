package io.hdfsraid.drfs.fs;

import io.hdfsraid.embedded.EmbeddedHdfs;

/** Of {@code 3 * LostBlock.LARGEST_WINDOW / 2} bytes. */
class BlocksOfTwoWindowsTest extends DistributedRaidFileSystemTest {
  BlocksOfTwoWindowsTest(EmbeddedHdfs hdfs) {
    super(3 * LostBlock.LARGEST_WINDOW / 2, hdfs);
  }
}
