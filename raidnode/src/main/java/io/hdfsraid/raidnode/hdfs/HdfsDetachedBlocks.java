// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds detached blocks in two steps: the NameNode's fsck names a path for a block; and the block
 * is in the file at that path, after a concat, or in the file that a snapshot shows for that path.
 * Needs superuser rights, as fsck does.
 */
public final class HdfsDetachedBlocks implements DetachedBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsDetachedBlocks.class);

  /** How many blocks fsck is asked about at once; mostly one path has all the others, too. */
  private static final int ASKED_AT_ONCE = 50;

  /** In how many snapshots a path is looked up. */
  private static final int MOST_SNAPSHOTS = 1_000;

  private final DFSClient client;
  private final Namespace namespace;
  private final BlockHolders holders;

  public HdfsDetachedBlocks(DistributedFileSystem fs, Namespace namespace, BlockHolders holders) {
    this.client = fs.getClient();
    this.namespace = namespace;
    this.holders = holders;
  }

  @Override
  public Set<Long> existing(Collection<Long> blockIds) throws IOException {
    return holders.holders(blockIds).keySet();
  }

  @Override
  public Map<Block, LocatedBlock> locate(Collection<Block> blocks) {
    Map<Block, LocatedBlock> found = new HashMap<>();
    try {
      Search search = new Search(blocks, found);
      while (search.goOn()) {}
    } catch (IOException e) {
      // What is not found is judged as changed: nothing is done with it. The reconciler asks the
      // same question, and tells what is wrong.
      LOG.debug("Blocks without a file are not looked for any further", e);
    }
    return found;
  }

  /** One search for several blocks, most of which have been in the same file. */
  private final class Search {
    private final Set<Block> wanted;
    private final Map<Block, LocatedBlock> found;
    private final Set<String> looked = new LinkedHashSet<>();
    private Optional<List<String>> snapshottable = Optional.empty();

    Search(Collection<Block> wanted, Map<Block, LocatedBlock> found) {
      this.wanted = new LinkedHashSet<>(wanted);
      this.found = found;
    }

    /** Looks for some of the blocks that are left; false if there are none. */
    boolean goOn() throws IOException {
      List<Block> some = wanted.stream().limit(ASKED_AT_ONCE).toList();
      if (some.isEmpty()) {
        return false;
      }
      Set<String> paths = new LinkedHashSet<>();
      holders
          .holders(some.stream().map(Block::id).toList())
          .values()
          .forEach(holder -> paths.add(holder.path()));
      for (String path : paths) {
        if (looked.add(path)) {
          lookAround(path, some);
        }
      }
      some.forEach(wanted::remove);
      return !wanted.isEmpty();
    }

    private void lookAround(String path, List<Block> some) throws IOException {
      take(path);
      int snapshots = 0;
      for (String directory : snapshottable()) {
        if (isBelow(path, directory)) {
          for (String snapshot : snapshots(directory)) {
            if (some.stream().noneMatch(wanted::contains) || ++snapshots > MOST_SNAPSHOTS) {
              return;
            }
            take(snapshot + path.substring(directory.equals("/") ? 0 : directory.length()));
          }
        }
      }
    }

    /** Takes all wanted blocks of the file at a path, if there is one. */
    private void take(String path) throws IOException {
      Optional<LocatedFile> file = namespace.file(path);
      if (file.isPresent()) {
        for (LocatedBlock located : file.get().completeBlocks()) {
          if (wanted.remove(located.block())) {
            found.put(located.block(), located);
          }
        }
      }
    }

    private List<String> snapshottable() throws IOException {
      if (snapshottable.isEmpty()) {
        List<String> directories = new ArrayList<>();
        SnapshottableDirectoryStatus[] listed = client.getSnapshottableDirListing();
        if (listed != null) {
          for (SnapshottableDirectoryStatus each : listed) {
            directories.add(each.getFullPath().toUri().getPath());
          }
        }
        snapshottable = Optional.of(directories);
      }
      return snapshottable.get();
    }

    /** Returns the paths of all snapshots of a directory. */
    private List<String> snapshots(String directory) throws IOException {
      String parent = (directory.equals("/") ? "" : directory) + "/.snapshot";
      List<String> paths = new ArrayList<>();
      byte[] after = HdfsFileStatus.EMPTY_NAME;
      try {
        DirectoryListing page;
        do {
          page = client.listPaths(parent, after);
          if (page == null) {
            return paths;
          }
          for (HdfsFileStatus snapshot : page.getPartialListing()) {
            paths.add(parent + "/" + snapshot.getLocalName());
          }
          after = page.getLastName();
        } while (page.hasMore() && paths.size() < MOST_SNAPSHOTS);
      } catch (FileNotFoundException e) {
        LOG.debug("{} is not snapshottable any more", directory, e);
      }
      return paths;
    }

    private boolean isBelow(String path, String directory) {
      return directory.equals("/") || path.startsWith(directory + "/");
    }
  }
}
