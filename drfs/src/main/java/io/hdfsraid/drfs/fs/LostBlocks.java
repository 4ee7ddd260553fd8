package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The lost blocks that the streams of one client have found, so that its next streams need not ask
 * the NameNode for them again. A block that was rewritten since has another generation stamp, and
 * every read ends with a look at the files of the stripe. Bounded: the blocks that were used least
 * recently are forgotten. Safe for concurrent use.
 */
final class LostBlocks {
  private static final int SEARCHES = 64;

  private final ReadRetryPolicy patience;

  /** Of blocks that are looked up now, by hash; rarely do two blocks have the same one. */
  private final List<ReentrantLock> searches =
      Stream.generate(ReentrantLock::new).limit(SEARCHES).toList();

  /** Guarded by itself. */
  private final Map<Place, LostBlock> found;

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
  }

  /** Whether blocks of the file at this path are kept. */
  boolean haveAnyOf(String path) {
    synchronized (found) {
      return found.keySet().stream().anyMatch(place -> place.path().equals(path));
    }
  }

  /** Returns those of these blocks that are kept and still believed to be lost. */
  List<LostBlock> among(String path, List<LocatedBlock> blocks) {
    List<LostBlock> lost = new ArrayList<>();
    for (LocatedBlock block : blocks) {
      get(path, block).ifPresent(lost::add);
    }
    return lost;
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
   * Returns the block, and keeps what has to be searched for. Many readers of one block wait for
   * the search of the first.
   *
   * @throws InterruptedIOException if interrupted while waiting; the interrupt flag is set
   */
  Optional<LostBlock> getOrFind(String path, LocatedBlock block, Search search) throws IOException {
    Optional<LostBlock> known = get(path, block);
    if (known.isPresent()) {
      return known;
    }
    Place place = new Place(path, block);
    ReentrantLock searching = searches.get(Math.floorMod(place.hashCode(), SEARCHES));
    try {
      searching.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while a lost block was looked up").initCause(e);
    }
    try {
      known = get(path, block);
      if (known.isPresent()) {
        return known;
      }
      Optional<LostBlock> lost = search.find();
      synchronized (found) {
        lost.ifPresent(each -> found.put(place, each));
      }
      return lost;
    } finally {
      searching.unlock();
    }
  }

  /** Forgets a block that could not be read through its stripe. */
  void forget(LostBlock lost) {
    synchronized (found) {
      found.values().remove(lost);
    }
  }
}
