package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.problem.CatalogException;
import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.namespace.Inode;
import io.hdfsraid.raidnode.namespace.NamespaceEvent;
import io.hdfsraid.raidnode.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
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
 * All files of a namespace, and when they were last used: answers which <i>n</i> are the coldest by
 * looking at <i>n</i>. It is told of the namespace by {@link #rebuild} or {@link #relist}, and of
 * changes and accesses by {@link #apply} and {@link #accessed}.
 *
 * <p>One thread at a time changes it, others wait for it; a rebuild takes minutes. Any number of
 * threads read meanwhile, and see each change as a whole. Visitors may ask for more, but not change
 * anything.
 */
public final class NamespaceIndex implements AutoCloseable {
  /** Files that are set aside together. */
  private static final int BATCH = 10_000;

  private final IndexFolder folder;
  private final Clock clock;
  private volatile Smoothing smoothing;
  private final ReentrantLock writing = new ReentrantLock();
  private volatile Generation current;
  private boolean closed;

  private NamespaceIndex(IndexFolder folder, Generation current, Clock clock, Smoothing smoothing) {
    this.folder = folder;
    this.current = current;
    this.clock = clock;
    this.smoothing = smoothing;
  }

  /** Opens the index in a folder, with the usual smoothing. */
  public static NamespaceIndex open(Path folder, Clock clock) {
    return open(folder, clock, Smoothing.USUAL);
  }

  /**
   * Opens the index in a folder, which is made when there is none.
   *
   * @throws CatalogException with what to do: the folder cannot be written, belongs to something
   *     else, is held by another process, is damaged, or was written by another version
   */
  public static NamespaceIndex open(Path folder, Clock clock, Smoothing smoothing) {
    return open(folder, clock, smoothing, Generation.KEPT);
  }

  /** One that keeps so many of each in memory. */
  static NamespaceIndex open(Path folder, Clock clock, Smoothing smoothing, int kept) {
    IndexFolder opened = IndexFolder.open(folder, clock);
    try {
      return new NamespaceIndex(opened, Generation.open(opened.current(), kept), clock, smoothing);
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Whether each access will be {@linkplain #accessed told} from now on, so that access times that
   * HDFS records are not counted besides.
   */
  public void accessesAreTold(boolean each) {
    smoothing = smoothing.telling(each);
  }

  /** How far a source has been taken in. */
  public Optional<Watermark> watermark(String source) {
    return read(generation -> generation.watermark(source));
  }

  /** The last transaction of the NameNode that has been taken in. */
  public OptionalLong transaction() {
    long transaction = read(generation -> generation.state().transaction());
    return transaction < 0 ? OptionalLong.empty() : OptionalLong.of(transaction);
  }

  /** Which transactions were taken in does not count any more: only an image may be followed. */
  void forgetTransaction() {
    write(
        generation -> {
          if (generation.state().transaction() >= 0) {
            new Draft(generation).commit(generation.state().at(-1), Optional.empty());
          }
          return generation;
        });
  }

  /**
   * How many files there are. Those below directories that have been removed count until they are
   * {@linkplain #sweep swept}.
   */
  public long files() {
    return read(generation -> generation.state().files());
  }

  /**
   * Takes in changes; all of them, with the watermark, or none. They are to come after {@link
   * #transaction}: a batch that does not is passed over, so that one may come again.
   *
   * @param transaction the last one of these events
   */
  public Applied apply(List<NamespaceEvent> events, long transaction, Watermark watermark) {
    return write(
        generation -> {
          State state = generation.state();
          Draft draft = new Draft(generation);
          if (transaction <= state.transaction()) {
            draft.commit(state, Optional.of(watermark));
            return new Applied(0, 0, events.size());
          }
          Playback playback = new Playback(draft, smoothing);
          playback.expect(events.stream().flatMap(NamespaceIndex::paths));
          int known = 0;
          for (NamespaceEvent event : events) {
            known += playback.play(event) ? 1 : 0;
          }
          draft.commit(state.at(transaction), Optional.of(watermark));
          return new Applied(known, events.size() - known, 0);
        });
  }

  private static Stream<String> paths(NamespaceEvent event) {
    return event instanceof NamespaceEvent.Renamed renamed
        ? Stream.of(renamed.path(), renamed.to())
        : Stream.of(event.path());
  }

  /**
   * Takes in accesses; all of them, with the watermark, or none. Those that come again under the
   * watermark that is known are passed over.
   *
   * @param told of each access to a file that is known, with the file's number
   */
  public Applied accessed(
      List<Access> accesses, Watermark watermark, ObjLongConsumer<Access> told) {
    return write(
        generation -> {
          Optional<Watermark> before = generation.watermark(watermark.source());
          if (before.filter(watermark::equals).isPresent()) {
            return new Applied(0, 0, accesses.size());
          }
          Draft draft = new Draft(generation);
          Playback playback = new Playback(draft, smoothing);
          playback.expect(accesses.stream().map(Access::path));
          int known = 0;
          for (Access access : accesses) {
            known += playback.read(access, told) ? 1 : 0;
          }
          draft.commit(generation.state(), Optional.of(watermark));
          return new Applied(known, accesses.size() - known, 0);
        });
  }

  /**
   * HDFS says what is in a directory now: what the index knows there by events only gets its number
   * and all facts. To be called for the directories above first; what is in one that is not known
   * stays as it is. What HDFS tells may be ahead of the events, so nothing else is believed.
   *
   * @param parent the number of the directory it is in; of the root, whatever it is
   * @return how many have got their numbers
   */
  public long identify(Inode.Directory directory, long parent, List<? extends Inode> children) {
    return write(
        generation -> {
          Draft draft = new Draft(generation);
          Settler settler = new Settler(draft, smoothing);
          settler.identifyAll(directory, parent, List.copyOf(children));
          if (!draft.isEmpty()) {
            draft.commit(generation.state(), Optional.empty());
          }
          return settler.identified();
        });
  }

  /** Begins to take in the whole namespace by directories. */
  public Relisting relist() {
    return new Relisting(this, clock.millis());
  }

  /**
   * Goes on with what was put off, such as to forget what was in removed directories.
   *
   * @param budget how many entries to look at, more or less
   * @return how many were looked at; less than the budget when nothing is left to be done
   */
  public int sweep(int budget) {
    return write(generation -> new Sweep(generation, budget).run());
  }

  public Optional<IndexedFile> file(long inode) {
    return read(generation -> generation.file(inode).flatMap(walk(generation)::indexed));
  }

  /** The file at a path. */
  public Optional<IndexedFile> at(String path) {
    return read(
        generation ->
            walk(generation)
                .find(path)
                .filter(FileEntry.class::isInstance)
                .map(FileEntry.class::cast)
                .flatMap(walk(generation)::indexed));
  }

  /** The path of a file or directory. */
  public Optional<String> path(long inode) {
    if (inode == Inode.ROOT) {
      return Optional.of("/");
    }
    return read(
        generation ->
            generation
                .directories()
                .trail(inode)
                .map(Trail::path)
                .or(
                    () ->
                        generation
                            .file(inode)
                            .flatMap(walk(generation)::indexed)
                            .map(IndexedFile::path)));
  }

  /** Visits all files by number, those without one of HDFS first, until the visitor has enough. */
  public void forEach(FileVisitor visitor) {
    read(
        generation -> {
          walk(generation).all(visitor);
          return generation;
        });
  }

  /** The file at a path, or all files below it, in no order, until the visitor has enough. */
  public void below(String path, FileVisitor visitor) {
    read(
        generation -> {
          walk(generation).below(path, visitor);
          return generation;
        });
  }

  /** All files of one directory, in no order, until the visitor has enough. */
  public void directly(String path, FileVisitor visitor) {
    read(
        generation -> {
          walk(generation).directly(path, visitor);
          return generation;
        });
  }

  /**
   * Visits files by number, from the one after {@code after}; {@link Long#MIN_VALUE} for the first.
   *
   * @param limit how many to look at
   * @return the last that was looked at; empty when there are no more
   */
  public OptionalLong page(long after, int limit, FileVisitor visitor) {
    return read(generation -> walk(generation).page(after, limit, visitor));
  }

  /** Visits the files that are in the order, least recently used first. Costs what is visited. */
  public void coldestFirst(ColdestFirst visitor) {
    Map<Long, Integer> aside = new HashMap<>();
    read(
        generation -> {
          Walk walk = walk(generation);
          new Order(generation)
              .forEach(
                  file -> {
                    Optional<IndexedFile> indexed = walk.indexed(file);
                    if (indexed.isEmpty()) {
                      return true;
                    }
                    ColdestFirst.Step step = visitor.look(indexed.get());
                    if (step instanceof ColdestFirst.SetAside set) {
                      aside.put(file.id(), set.tag());
                      if (aside.size() >= BATCH) {
                        setAside(aside, generation);
                      }
                    }
                    return !(step instanceof ColdestFirst.Stop);
                  });
          setAside(aside, generation);
          return generation;
        });
  }

  /** While the index is built anew they are not: they would be lost with what is replaced. */
  private void setAside(Map<Long, Integer> tags, Generation seen) {
    if (!tags.isEmpty() && writing.tryLock()) {
      try {
        if (seen == current) {
          setAside(seen, tags);
        }
      } finally {
        writing.unlock();
      }
    }
    tags.clear();
  }

  private static void setAside(Generation generation, Map<Long, Integer> tags) {
    Draft draft = new Draft(generation);
    draft.expectFiles(tags.keySet());
    int epoch = generation.state().epoch();
    tags.forEach(
        (id, tag) -> draft.file(id).ifPresent(file -> draft.change(file.setAside(tag, epoch))));
    draft.commit(generation.state(), Optional.empty());
  }

  /**
   * Takes a file out of the order, see {@link ColdestFirst.SetAside}.
   *
   * @param tag why; 1 to 255
   */
  public void aside(long inode, int tag) {
    ColdestFirst.SetAside checked = new ColdestFirst.SetAside(tag);
    write(
        generation -> {
          setAside(generation, Map.of(inode, checked.tag()));
          return inode;
        });
  }

  /**
   * Likewise, for whoever must not wait: while the index is built anew nothing happens, and whoever
   * goes through all files next sees to it.
   */
  public void asideUnlessBusy(long inode, int tag) {
    if (writing.tryLock()) {
      try {
        aside(inode, tag);
      } finally {
        writing.unlock();
      }
    }
  }

  /** Gives a file back to the order. */
  public void rank(long inode) {
    write(
        generation -> {
          Draft draft = new Draft(generation);
          draft.file(inode).ifPresent(file -> draft.change(file.ranked()));
          draft.commit(generation.state(), Optional.empty());
          return inode;
        });
  }

  /** Gives all files back to the order that have been set aside; costs one write. */
  public void restoreOrder() {
    write(
        generation -> {
          State state = generation.state();
          new Draft(generation)
              .commit(state.inEpoch(state.epoch() + 1, state.oldestEpoch()), Optional.empty());
          return generation;
        });
  }

  /**
   * Takes in a whole namespace at once: makes another index of it, beside the one in use, and
   * replaces that in one step. What only the index knows of files, by their numbers, is kept: later
   * accesses, how often, and that they are set aside. So are the watermarks; but who follows the
   * changes of the NameNode has to go on from {@link #transaction}, which is the image's now.
   *
   * @throws IOException when the image cannot be read, or there is no room; the index is as it was
   */
  public Rebuilt rebuild(Image image, Rebuild.Progress progress) throws IOException {
    writing.lock();
    try {
      // What was put off concerns what is kept.
      for (int done = BATCH; done >= BATCH; ) {
        done = sweep(BATCH);
      }
      Generation before = current;
      Path next = folder.makeNext();
      boolean switched = false;
      try {
        Rebuild.Result result = new Rebuild(before, next, smoothing, progress).run(image);
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

  /** Gives back the space of what was removed and replaced; takes as long as all of it. */
  public void compact() {
    read(
        generation -> {
          generation.database().compact();
          return generation;
        });
  }

  /** What it takes on disk, without what is not yet in tables. */
  public long bytes() {
    return read(generation -> generation.database().bytes());
  }

  Smoothing smoothing() {
    return smoothing;
  }

  private Walk walk(Generation generation) {
    return new Walk(generation, smoothing);
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

  /** Readers that are at work may still end. */
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
