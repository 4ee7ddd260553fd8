// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.embedded.EmbeddedHdfs;

/** Tries files whose lost blocks are rebuilt in two windows. */
class BlocksOfTwoWindowsTest extends DistributedRaidFileSystemTest {
  BlocksOfTwoWindowsTest(EmbeddedHdfs hdfs) {
    super(3 * LARGEST_WINDOW / 2, hdfs);
  }
}
