package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.blockfixer.detect.LossReports;
import io.hdfsraid.blockfixer.detect.LostBlock;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;

/**
 * The NameNode's list of corrupt files, whose entries are paths, one for each lost block; each path
 * is then looked up for the blocks that are lost. A block that only a snapshot holds is listed
 * under the path it once had, where nothing, or another file, is found: such a block is not
 * reported.
 */
public final class HdfsLossReports implements LossReports {
  private static final String EVERYWHERE = "/";

  private final DFSClient client;
  private final Namespace namespace;

  public HdfsLossReports(DistributedFileSystem fileSystem, Namespace namespace) {
    this.client = fileSystem.getClient();
    this.namespace = namespace;
  }

  @Override
  public List<LostBlock> read() throws IOException {
    Map<Long, LostBlock> lost = new LinkedHashMap<>();
    for (String path : paths()) {
      Optional<FileState> file = namespace.file(path);
      if (file.isPresent()) {
        for (LocatedBlock block : file.get().blocks()) {
          if (block.isLost()) {
            lost.put(block.block().id(), new LostBlock(block.block().id(), path));
          }
        }
      }
    }
    return List.copyOf(lost.values());
  }

  /** All pages before anything else is done: the cookie is an index into a live queue. */
  private Set<String> paths() throws IOException {
    Set<String> paths = new LinkedHashSet<>();
    String cookie = null;
    while (true) {
      CorruptFileBlocks page = client.listCorruptFileBlocks(EVERYWHERE, cookie);
      if (page.getFiles().length == 0) {
        return paths;
      }
      paths.addAll(List.of(page.getFiles()));
      cookie = page.getCookie();
    }
  }
}
