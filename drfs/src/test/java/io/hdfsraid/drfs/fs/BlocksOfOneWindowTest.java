// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import org.junit.jupiter.api.Tag;

/** Tries files whose lost blocks are rebuilt in one window. */
@Tag("full")
class BlocksOfOneWindowTest extends DistributedRaidFileSystemTest {
  BlocksOfOneWindowTest(EmbeddedHdfs hdfs) {
    super(RealHdfs.BLOCK, hdfs);
  }
}
