// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.drfs.namespace.CallPermits;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's list of corrupt files. It has one path for each block without a good replica:
 * missing blocks, and blocks whose replicas are all corrupt.
 */
public final class HdfsCorruptFileList implements CorruptFileList {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsCorruptFileList.class);
  private static final String EVERYWHERE = "/";

  /**
   * The maximum number of listed blocks, because paths are kept in memory until all are read. The
   * others are read after some of these have been repaired.
   */
  private static final int MOST_BLOCKS = 1_000_000;

  private final DFSClient client;
  private final CallPermits calls;

  /**
   * @param calls the rate limit, used for each page of about a hundred blocks: the NameNode walks
   *     through the list from its beginning for each page
   */
  public HdfsCorruptFileList(DistributedFileSystem fileSystem, CallPermits calls) {
    this.client = fileSystem.getClient();
    this.calls = calls;
  }

  @Override
  public Map<String, Integer> files() throws IOException {
    Map<String, Integer> files = new LinkedHashMap<>();
    String cookie = null;
    for (int blocks = 0; blocks < MOST_BLOCKS; ) {
      calls.await(1);
      CorruptFileBlocks page = client.listCorruptFileBlocks(EVERYWHERE, cookie);
      if (page.getFiles().length == 0) {
        return files;
      }
      for (String path : page.getFiles()) {
        files.merge(path, 1, Integer::sum);
      }
      blocks += page.getFiles().length;
      cookie = page.getCookie();
    }
    LOG.warn("the NameNode lists more than {} lost blocks; the others are read later", MOST_BLOCKS);
    return files;
  }
}
