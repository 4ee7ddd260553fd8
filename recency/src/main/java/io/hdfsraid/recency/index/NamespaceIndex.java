// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;

/**
 * An index of all files of a namespace and of the time at which each was last used. To find the
 * <i>n</i> coldest files it reads <i>n</i> entries. {@link #rebuild} and {@link #relist} fill the
 * index; {@link #apply} and {@link #accessed} follow changes and accesses.
 *
 * <p>One thread at a time changes the index; other writers wait, minutes if it is rebuilt. Any
 * number of threads read meanwhile, and see each change as a whole. A visitor may read the index,
 * but must not change it.
 */
public final class NamespaceIndex implements AutoCloseable {
  /** The version of the format of the index; another one is built anew. */
  public static final int FORMAT = Generation.FORMAT;

  /** How many files are skipped with one write. */
  private static final int BATCH = 10_000;

  private final IndexFolder folder;
  private final Clock clock;
  private volatile AccessDecay decay;
  private final RecentRenames renames = new RecentRenames(); // guarded by writing
  private volatile ChangeListener changes = ChangeListener.NONE;
  private final ReentrantLock writing = new ReentrantLock();
  private volatile Generation current;
  private boolean closed;

  private NamespaceIndex(IndexFolder folder, Generation current, Clock clock, AccessDecay decay) {
    this.folder = folder;
    this.current = current;
    this.clock = clock;
    this.decay = decay;
  }

  /** Opens the index in a folder, with the default decay of access counts. */
  public static NamespaceIndex open(Path folder, Clock clock) {
    return open(folder, clock, AccessDecay.USUAL);
  }

  /**
   * Opens the index in a folder, and creates the folder if it does not exist.
   *
   * @throws DatabaseException if the folder cannot be written, belongs to something else, is held
   *     by another process, is damaged, or was written by another version; its message says what to
   *     do
   */
  public static NamespaceIndex open(Path folder, Clock clock, AccessDecay decay) {
    return open(folder, clock, decay, Generation.KEPT);
  }

  /** Opens an index that caches the given number of entries of each kind. */
  static NamespaceIndex open(Path folder, Clock clock, AccessDecay decay, int kept) {
    IndexFolder opened = IndexFolder.open(folder, clock);
    try {
      return new NamespaceIndex(opened, Generation.open(opened.current(), kept), clock, decay);
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Sets since when {@link #accessed} reports each access; empty if it does not. Access times of
   * then or later, which HDFS records, are not counted as accesses.
   */
  public void accessesAreReportedSince(Optional<Instant> since) {
    decay = decay.reportingSince(since.map(Instant::toEpochMilli).orElse(AccessDecay.NEVER));
  }

  /** Sets who receives the files that events concern from now on. */
  public void reportChangesTo(ChangeListener listener) {
    changes = listener;
  }

  private void report(FileChanges changed) {
    if (!changed.isEmpty()) {
      changes.changed(changed);
    }
  }

  /**
   * Reads the whole index and compares all checksums.
   *
   * @throws DatabaseException if one is wrong
   */
  public void verify() {
    read(
        generation -> {
          generation.database().verify();
          return generation;
        });
  }

  /** Returns the position up to which a source has been taken in. */
  public Optional<Watermark> watermark(String source) {
    return read(generation -> generation.watermark(source));
  }

  /** Returns the last transaction of the NameNode that has been taken in. */
  public OptionalLong transaction() {
    long transaction = read(generation -> generation.state().transaction());
    return transaction < 0 ? OptionalLong.empty() : OptionalLong.of(transaction);
  }

  /** Forgets the last transaction. Edits can be followed again only after the next image. */
  void forgetTransaction() {
    write(
        generation -> {
          if (generation.state().transaction() >= 0) {
            new IndexUpdate(generation).commit(generation.state().at(-1), Optional.empty());
          }
          return generation;
        });
  }

  /**
   * Returns the number of files. Files below a removed directory count until {@link
   * #runDeferredTasks} has removed them.
   */
  public long files() {
    return read(generation -> generation.state().files());
  }

  /**
   * Applies all events and moves the watermark, or does neither. The events must follow {@link
   * #transaction}. An older batch is ignored, so a batch may be repeated after a crash.
   *
   * @param transaction the last one of these events
   */
  public ApplyResult apply(List<NamespaceEvent> events, long transaction, Watermark watermark) {
    return write(
        generation -> {
          IndexCounters state = generation.state();
          IndexUpdate update = new IndexUpdate(generation);
          if (transaction <= state.transaction()) {
            update.commit(state, Optional.of(watermark));
            return new ApplyResult(0, 0, events.size());
          }
          EventApplier applier = new EventApplier(update, decay, renames);
          applier.prefetch(events.stream().flatMap(NamespaceIndex::paths));
          int known = 0;
          for (NamespaceEvent event : events) {
            known += applier.apply(event) ? 1 : 0;
          }
          report(applier.changes());
          update.commit(state.at(transaction), Optional.of(watermark));
          return new ApplyResult(known, events.size() - known, 0);
        });
  }

  private static Stream<String> paths(NamespaceEvent event) {
    return event instanceof NamespaceEvent.Renamed renamed
        ? Stream.of(renamed.path(), renamed.to())
        : Stream.of(event.path());
  }

  /**
   * Returns the same accesses, each by the present path of the file that was at its path then.
   * Edits are taken in before audit logs, so a file may have been renamed after it was read.
   */
  public List<Access> atPresentPaths(List<Access> accesses) {
    writing.lock();
    try {
      return accesses.stream()
          .map(a -> new Access(renames.present(a.path(), a.at()), a.at(), a.client()))
          .toList();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Counts all accesses and moves the watermark, or does neither. A batch with the same watermark
   * as before is ignored, so it may be repeated after a crash.
   *
   * @param listener receives each access to a known file, with the inode id of the file
   */
  public ApplyResult accessed(
      List<Access> accesses, Watermark watermark, ObjLongConsumer<Access> listener) {
    return accessed(accesses, Optional.of(watermark), listener);
  }

  /** Counts accesses that were reported before, when it was not known of which files they are. */
  public ApplyResult accessedEarlier(List<Access> accesses, ObjLongConsumer<Access> listener) {
    return accessed(accesses, Optional.empty(), listener);
  }

  private ApplyResult accessed(
      List<Access> accesses, Optional<Watermark> watermark, ObjLongConsumer<Access> listener) {
    return write(
        generation -> {
          if (watermark.isPresent()
              && generation.watermark(watermark.get().source()).equals(watermark)) {
            return new ApplyResult(0, 0, accesses.size());
          }
          IndexUpdate update = new IndexUpdate(generation);
          EventApplier applier = new EventApplier(update, decay, renames);
          applier.prefetch(accesses.stream().map(Access::path));
          int known = 0;
          for (Access access : accesses) {
            known += applier.read(access, listener) ? 1 : 0;
          }
          update.commit(generation.state(), watermark);
          return new ApplyResult(known, accesses.size() - known, 0);
        });
  }

  /**
   * Takes inode ids and attributes from a listing of one directory, for entries that the index
   * knows only from events. Parents must be identified before their children; entries of an unknown
   * directory stay as they are. The listing may be newer than the events, so nothing else is taken
   * from it.
   *
   * @param parent the inode id of the parent directory; any number for the root
   * @return how many entries got their inode id
   */
  public long identify(Inode.Directory directory, long parent, List<? extends Inode> children) {
    return write(
        generation -> {
          IndexUpdate update = new IndexUpdate(generation);
          InodeReconciler reconciler = new InodeReconciler(update, decay);
          reconciler.identifyAll(directory, parent, List.copyOf(children));
          if (!update.isEmpty()) {
            update.commit(generation.state(), Optional.empty());
          }
          return reconciler.identified();
        });
  }

  /** Begins an update of the whole namespace, directory by directory. */
  public ListingUpdate relist() {
    return new ListingUpdate(this, clock.millis());
  }

  /**
   * Continues with deferred tasks, such as removing the contents of removed directories.
   *
   * @param budget roughly how many entries to visit
   * @return how many entries were visited; less than the budget if no task is left
   */
  public int runDeferredTasks(int budget) {
    return write(generation -> new DeferredTaskRunner(generation, budget, this::report).run());
  }

  public Optional<IndexedFile> file(long inode) {
    return read(generation -> generation.file(inode).flatMap(walk(generation)::indexed));
  }

  /** Returns the file at a path. */
  public Optional<IndexedFile> at(String path) {
    return read(
        generation ->
            walk(generation)
                .find(path)
                .filter(FileEntry.class::isInstance)
                .map(FileEntry.class::cast)
                .flatMap(walk(generation)::indexed));
  }

  /** Returns the path of a file or directory. */
  public Optional<String> path(long inode) {
    if (inode == Inode.ROOT) {
      return Optional.of("/");
    }
    return read(
        generation ->
            generation
                .directories()
                .directoryPath(inode)
                .map(DirectoryPath::path)
                .or(
                    () ->
                        generation
                            .file(inode)
                            .flatMap(walk(generation)::indexed)
                            .map(IndexedFile::path)));
  }

  /**
   * Visits all files in the order of their inode ids, provisional ones first, until the visitor
   * returns false.
   */
  public void forEach(FileVisitor visitor) {
    read(
        generation -> {
          walk(generation).all(visitor);
          return generation;
        });
  }

  /**
   * Visits the file at a path, or all files below it in no order, until the visitor returns false.
   */
  public void below(String path, FileVisitor visitor) {
    read(
        generation -> {
          walk(generation).below(path, visitor);
          return generation;
        });
  }

  /** Visits all files of one directory in no order, until the visitor returns false. */
  public void directly(String path, FileVisitor visitor) {
    read(
        generation -> {
          walk(generation).directly(path, visitor);
          return generation;
        });
  }

  /**
   * Visits files in the order of their inode ids, from the one after {@code after}; {@link
   * Long#MIN_VALUE} begins with the first.
   *
   * @param limit how many files to visit
   * @return the inode id of the last file that was visited; empty if there are no more
   */
  public OptionalLong page(long after, int limit, FileVisitor visitor) {
    return read(generation -> walk(generation).page(after, limit, visitor));
  }

  /**
   * Visits the files that are not skipped, least recently used first. The cost is proportional to
   * the number of visited files.
   */
  public void coldestFirst(ColdFileVisitor visitor) {
    Map<Long, Integer> tags = new HashMap<>();
    read(
        generation -> {
          FileScan walk = walk(generation);
          new AccessOrder(generation)
              .forEach(
                  file -> {
                    Optional<IndexedFile> indexed = walk.indexed(file);
                    if (indexed.isEmpty()) {
                      return true;
                    }
                    ColdFileVisitor.Step step = visitor.look(indexed.get());
                    if (step instanceof ColdFileVisitor.Skip set) {
                      tags.put(file.id(), set.tag());
                      if (tags.size() >= BATCH) {
                        skip(tags, generation);
                      }
                    }
                    return !(step instanceof ColdFileVisitor.Stop);
                  });
          skip(tags, generation);
          return generation;
        });
  }

  /** Does nothing while the index is rebuilt: the change would be lost with the old generation. */
  private void skip(Map<Long, Integer> tags, Generation seen) {
    if (!tags.isEmpty() && writing.tryLock()) {
      try {
        if (seen == current) {
          skip(seen, tags);
        }
      } finally {
        writing.unlock();
      }
    }
    tags.clear();
  }

  private static void skip(Generation generation, Map<Long, Integer> tags) {
    IndexUpdate update = new IndexUpdate(generation);
    update.prefetchFiles(tags.keySet());
    int epoch = generation.state().epoch();
    tags.forEach(
        (id, tag) -> update.file(id).ifPresent(file -> update.change(file.skip(tag, epoch))));
    update.commit(generation.state(), Optional.empty());
  }

  /**
   * Takes a file out of the order of last use, see {@link ColdFileVisitor.Skip}.
   *
   * @param tag the reason; 1 to 255
   */
  public void skip(long inode, int tag) {
    ColdFileVisitor.Skip checked = new ColdFileVisitor.Skip(tag);
    write(
        generation -> {
          skip(generation, Map.of(inode, checked.tag()));
          return inode;
        });
  }

  /**
   * Takes a file out of the order of last use, for callers that must not wait. Does nothing while
   * the index is rebuilt; the next evaluation of all files skips the file then.
   */
  public void skipUnlessBusy(long inode, int tag) {
    if (writing.tryLock()) {
      try {
        skip(inode, tag);
      } finally {
        writing.unlock();
      }
    }
  }

  /** Puts a file back into the order of last use. */
  public void unskip(long inode) {
    write(
        generation -> {
          IndexUpdate update = new IndexUpdate(generation);
          update.file(inode).ifPresent(file -> update.change(file.unskipped()));
          update.commit(generation.state(), Optional.empty());
          return inode;
        });
  }

  /** Puts all skipped files back into the order of last use. This costs a single write. */
  public void unskipAll() {
    write(
        generation -> {
          IndexCounters state = generation.state();
          new IndexUpdate(generation)
              .commit(state.inEpoch(state.epoch() + 1, state.oldestEpoch()), Optional.empty());
          return generation;
        });
  }

  /**
   * Rebuilds the index from an image of the whole namespace. A new generation is built beside the
   * current one and replaces it atomically. Facts that only the index knows are carried over by
   * inode id: later accesses, access counts and skip tags; watermarks are kept, too. {@link
   * #transaction} is that of the image afterwards, and the edit log must be followed from there.
   *
   * @throws IOException if the image cannot be read or the disk is full; the index is unchanged
   *     then
   */
  public RebuildResult rebuild(Image image, Rebuild.Progress progress) throws IOException {
    writing.lock();
    try {
      // Deferred tasks concern facts that are carried over.
      for (int done = BATCH; done >= BATCH; ) {
        done = runDeferredTasks(BATCH);
      }
      Generation before = current;
      Path next = folder.makeNext();
      boolean switched = false;
      try {
        Rebuild.Result result = new Rebuild(before, next, decay, progress).run(image);
        folder.switchToNext();
        switched = true;
        current = result.generation();
        before.retire();
        return result.rebuilt();
      } finally {
        if (!switched) {
          IndexFolder.removeQuietly(next);
        }
      }
    } finally {
      writing.unlock();
    }
  }

  /** Frees the space of removed and replaced entries. Takes as long as rewriting the index. */
  public void compact() {
    read(
        generation -> {
          generation.database().compact(List.of(Column.values()));
          return generation;
        });
  }

  /** Returns the size on disk, without the latest changes, which are still in memory. */
  public long bytes() {
    return read(
        generation -> Arrays.stream(Column.values()).mapToLong(generation.database()::bytes).sum());
  }

  AccessDecay decay() {
    return decay;
  }

  private FileScan walk(Generation generation) {
    return new FileScan(generation, decay);
  }

  <T> T read(Function<Generation, T> reading) {
    while (true) {
      Generation generation = current;
      if (generation.enter()) {
        try {
          return reading.apply(generation);
        } finally {
          generation.leave();
        }
      }
      if (generation == current) {
        throw new IllegalStateException("The index is closed");
      }
    }
  }

  <T> T write(Function<Generation, T> writer) {
    writing.lock();
    try {
      return read(writer);
    } finally {
      writing.unlock();
    }
  }

  /** Waits for no reader: those at work finish first, then the files are closed. */
  @Override
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        current.leave();
        folder.close();
      }
    } finally {
      writing.unlock();
    }
  }
}
