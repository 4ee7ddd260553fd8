package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The lost blocks that the streams of one client have found, so that its next streams need not ask
 * the NameNode for them again. A block that was rewritten since has another generation stamp, and
 * every read ends with a look at the files of the stripe. Bounded: the blocks that were used least
 * recently are forgotten. Safe for concurrent use.
 */
final class LostBlocks {
  private final ReadRetryPolicy patience;

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

  void add(String path, LocatedBlock block, LostBlock lost) {
    synchronized (found) {
      found.put(new Place(path, block), lost);
    }
  }

  /** Forgets a block that could not be read through its stripe. */
  void forget(LostBlock lost) {
    synchronized (found) {
      found.values().remove(lost);
    }
  }
}
