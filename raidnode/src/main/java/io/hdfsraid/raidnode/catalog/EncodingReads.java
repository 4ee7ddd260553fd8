// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.raidnode.catalog.Tables.EncodingRead;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores which replicas were read in full to encode their blocks, until the first deep scrub after
 * that. A replica that was read then and stayed need not be read at once again. What is lost here
 * is read once more.
 */
public final class EncodingReads {
  /** How many are removed at once; the next call goes on. */
  private static final int MOST_REMOVED = 1_000_000;

  private final TableStore store;
  private final Clock clock;

  EncodingReads(TableStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Adds replicas that have just been read. */
  public void put(Map<Block, Replica> read) {
    TableStore.Changes changes = store.changes();
    read.forEach(
        (block, replica) ->
            changes.put(
                Tables.ENCODING_READS,
                block.id(),
                new EncodingRead(block.generationStamp(), replica.node().uuid(), clock.instant())));
    changes.commit();
  }

  /** Returns whether exactly this replica, with this content, was read. */
  public boolean contain(Block block, Replica replica) {
    return store
        .get(Tables.ENCODING_READS, block.id())
        .filter(
            read ->
                read.generationStamp() == block.generationStamp()
                    && read.node().equals(replica.node().uuid()))
        .isPresent();
  }

  /** Removes blocks whose first scrub is over. */
  public void remove(Collection<Block> blocks) {
    TableStore.Changes changes = store.changes();
    blocks.forEach(block -> changes.remove(Tables.ENCODING_READS, block.id()));
    changes.commit();
  }

  /** Removes what was read before a time, as of files that were unraided before their scrub. */
  public void removeBefore(Instant time) {
    List<Long> old = new ArrayList<>();
    store.ascend(
        Tables.ENCODING_READS,
        Optional.empty(),
        (block, read) -> {
          if (read.at().isBefore(time)) {
            old.add(block);
          }
          return old.size() < MOST_REMOVED;
        });
    TableStore.Changes changes = store.changes();
    old.forEach(block -> changes.remove(Tables.ENCODING_READS, block));
    changes.commit();
  }
}
