// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of an open file that HDFS could not read a moment ago, and those that another stream
 * could not read. Safe for concurrent use.
 */
final class KnownLosses {
  private static final Logger LOG = LoggerFactory.getLogger(KnownLosses.class);

  private final String path;
  private final ReadRetryPolicy patience;
  private final Identity identity;
  private final ConcurrentNavigableMap<Long, LostBlock> lost = new ConcurrentSkipListMap<>();

  /** The blocks of which it is not known yet whether they are of this file. */
  private final Set<LostBlock> expected = ConcurrentHashMap.newKeySet();

  /** Tells whether a block that another stream could not read is of this file. */
  interface Identity {
    boolean isHere(LostBlock found) throws IOException;
  }

  KnownLosses(String path, ReadRetryPolicy patience, Identity identity) {
    this.path = path;
    this.patience = patience;
    this.identity = identity;
  }

  /**
   * Takes blocks as lost that another stream of this path could not read. Whether they are of this
   * file is asked when they are read.
   */
  void expect(List<LostBlock> blocks) {
    expected.addAll(blocks);
    blocks.forEach(block -> lost.put(block.start(), block));
  }

  /** Returns the block at a position of the file; empty if HDFS is to be asked for it. */
  Optional<LostBlock> at(long position) {
    Map.Entry<Long, LostBlock> before = lost.floorEntry(position);
    if (before == null || !before.getValue().contains(position)) {
      return Optional.empty();
    }
    LostBlock block = before.getValue();
    if (!block.isBelieved(patience) || (expected.contains(block) && !isHere(block))) {
      // It stays expected: a reader that has just found it here, too, must ask as well.
      lost.remove(block.start(), block);
      return Optional.empty();
    }
    expected.remove(block);
    return Optional.of(block);
  }

  private boolean isHere(LostBlock block) {
    try {
      return identity.isHere(block);
    } catch (IOException e) {
      LOG.debug("{} of {} are read from HDFS first", block, path, e);
      return false;
    }
  }

  /** Returns where the first block behind a position begins. */
  OptionalLong nextBehind(long position) {
    Map.Entry<Long, LostBlock> behind = lost.higherEntry(position);
    return behind != null && behind.getValue().isBelieved(patience)
        ? OptionalLong.of(behind.getKey())
        : OptionalLong.empty();
  }

  void add(LostBlock block) {
    if (lost.put(block.start(), block) == null) {
      LOG.info("{} of {} cannot be read from HDFS; it is rebuilt from parity", block, path);
      lost.values().removeIf(other -> other != block && !other.isBelieved(patience));
    }
  }

  void remove(LostBlock block) {
    lost.remove(block.start(), block);
  }

  int size() {
    return lost.size();
  }

  void clear() {
    lost.clear();
    expected.clear();
  }
}
