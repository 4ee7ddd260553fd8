// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.embedded.EmbeddedHdfs;
import org.junit.jupiter.api.Tag;

/** Tries files whose lost blocks are rebuilt in two windows. */
@Tag("full")
class BlocksOfTwoWindowsTest extends DistributedRaidFileSystemTest {
  BlocksOfTwoWindowsTest(EmbeddedHdfs hdfs) {
    super(3 * LARGEST_WINDOW / 2, hdfs);
  }
}
