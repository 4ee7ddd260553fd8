package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.blockfixer.detect.LossReports;
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
 * The NameNode's list of corrupt files, whose entries are paths, one for each block without a good
 * replica: those that are missing, and those of which every replica is corrupt.
 */
public final class HdfsLossReports implements LossReports {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsLossReports.class);
  private static final String EVERYWHERE = "/";

  /**
   * Paths are kept in memory until all are read; those beyond come when some of these are mended.
   */
  private static final int MOST_BLOCKS = 1_000_000;

  private final DFSClient client;
  private final CallPermits calls;

  /**
   * @param calls asked before each page, of a hundred blocks or so: for each the NameNode goes
   *     through the list from its beginning
   */
  public HdfsLossReports(DistributedFileSystem fileSystem, CallPermits calls) {
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
    LOG.warn("The NameNode lists more than {} lost blocks; the others come later", MOST_BLOCKS);
    return files;
  }
}
