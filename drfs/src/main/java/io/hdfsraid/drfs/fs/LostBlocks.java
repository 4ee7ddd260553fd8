// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The lost blocks that the streams of one client have found, so that its next streams need not ask
 * the NameNode for them again. A block that was rewritten since has another generation stamp, and
 * every read ends with a look at the files of the stripe. Bounded: the blocks that were used least
 * recently are forgotten. Safe for concurrent use.
 */
final class LostBlocks {
  private final ReadRetryPolicy patience;

  /** Blocks that are being looked up now. */
  private final Map<Place, CompletableFuture<Optional<LostBlock>>> searches =
      new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private final Map<Place, LostBlock> found;

  /** Blocks without parity, with the time at which that was seen; guarded by {@code found}. */
  private final Map<Place, Long> unprotected;

  /** A block at its place in a file: another file may have it elsewhere, after a concat. */
  private record Place(String path, long start, Block block) {
    Place(String path, LocatedBlock block) {
      this(path, block.getStartOffset(), HadoopTypes.block(block.getBlock()));
    }
  }

  /**
   * @param most the number of blocks that are kept
   */
  LostBlocks(int most, ReadRetryPolicy patience) {
    this.patience = patience;
    this.found = new LeastRecentlyUsed<>(most);
    this.unprotected = new LeastRecentlyUsed<>(most);
  }

  /**
   * Returns the blocks that streams of this path have rebuilt and that are still believed to be
   * lost. Another file may have the path by now: see {@link #get}.
   */
  List<LostBlock> of(String path) {
    synchronized (found) {
      return found.entrySet().stream()
          .filter(entry -> entry.getKey().path().equals(path))
          .map(Map.Entry::getValue)
          .filter(lost -> lost.wasRebuilt() && lost.isBelieved(patience))
          .toList();
    }
  }

  Optional<LostBlock> get(String path, LocatedBlock block) {
    Place place = new Place(path, block);
    synchronized (found) {
      LostBlock lost = found.get(place);
      if (lost != null && !lost.isBelieved(patience)) {
        found.remove(place);
        return Optional.empty();
      }
      return Optional.ofNullable(lost);
    }
  }

  /** Looks a block up at the NameNode. */
  interface Search {
    /** Returns empty if the block is not protected. */
    Optional<LostBlock> find() throws IOException;
  }

  /**
   * Returns the block, and keeps what has to be searched for. Many readers of one block share the
   * answer to the search of the first.
   *
   * @throws InterruptedIOException if interrupted while waiting; the interrupt flag is set
   */
  Optional<LostBlock> getOrFind(String path, LocatedBlock block, Search search) throws IOException {
    Place place = new Place(path, block);
    while (true) {
      Optional<LostBlock> known = get(path, block);
      if (known.isPresent() || isUnprotected(place)) {
        return known;
      }
      CompletableFuture<Optional<LostBlock>> own = new CompletableFuture<>();
      CompletableFuture<Optional<LostBlock>> other = searches.putIfAbsent(place, own);
      if (other == null) {
        return find(place, search, own);
      }
      try {
        return other.get();
      } catch (InterruptedException e) {
        throw Interrupts.interrupted("waiting for a lost block to be looked up", e);
      } catch (ExecutionException e) {
        if (!Interrupts.isInterrupt(e.getCause())) {
          throw new IOException("Another reader could not look the block up", e.getCause());
        }
      }
    }
  }

  private boolean isUnprotected(Place place) {
    synchronized (found) {
      Long since = unprotected.get(place);
      return since != null && System.nanoTime() - since < patience.unprotected().toNanos();
    }
  }

  private Optional<LostBlock> find(
      Place place, Search search, CompletableFuture<Optional<LostBlock>> answer)
      throws IOException {
    try {
      Optional<LostBlock> lost = search.find();
      synchronized (found) {
        if (lost.isPresent()) {
          found.put(place, lost.get());
        } else {
          unprotected.put(place, System.nanoTime());
        }
      }
      answer.complete(lost);
      return lost;
    } catch (IOException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
      throw e;
    } finally {
      searches.remove(place, answer);
    }
  }

  /** Forgets a block that could not be read through its stripe. */
  void forget(LostBlock lost) {
    synchronized (found) {
      found.values().remove(lost);
    }
  }
}
