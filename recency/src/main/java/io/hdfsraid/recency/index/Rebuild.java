// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.rocksdb.BulkLoad;
import io.hdfsraid.recency.rocksdb.Database;
import io.hdfsraid.recency.rocksdb.Database.Cursor;
import io.hdfsraid.recency.rocksdb.DatabaseFolder;
import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Builds a generation from an image. Inodes and their parents are sorted by inode id and merged
 * with each other and with the old generation. The results are sorted again by the key of each
 * table and handed to RocksDB as finished files. The memory does not grow with the namespace.
 */
public final class Rebuild {
  private static final byte[] NOTHING = new byte[0];
  private static final int TOLD_EACH = 100_000;

  /** Receives the progress of a rebuild. An {@link UncheckedIOException} ends it. */
  @FunctionalInterface
  public interface Progress {
    void at(Phase phase, long inodes);
  }

  /** The phases of a rebuild, in order. */
  public enum Phase {
    /** The image is read. */
    READING,
    /** Inodes are merged with their parents and with the old generation. */
    MERGING
  }

  private final Generation old;
  private final Path folder;
  private final Path scratch;
  private final AccessDecay decay;
  private final Progress progress;
  private final ExecutorService helper =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "namespace-rebuild"));

  private final List<Long> moved = new ArrayList<>();
  private Generation built;
  private ImageComparison comparison;
  private long snapshotOnly;
  private long remembered;
  private long skipped;
  private long directories;
  private long links;

  Rebuild(Generation old, Path folder, AccessDecay decay, Progress progress) {
    this.old = old;
    this.folder = folder;
    this.scratch = folder.resolve("scratch");
    this.decay = decay;
    this.progress = progress;
  }

  /** A complete generation on disk, and the result to report. */
  record Result(Generation generation, RebuildResult rebuilt) {}

  Result run(Image image) throws IOException {
    Files.createDirectories(scratch);
    built = Generation.open(folder, old.kept());
    boolean whole = false;
    try (ExternalSort files = new ExternalSort(scratch, "files", Keys.INODE_BYTES, helper);
        ExternalSort others = new ExternalSort(scratch, "others", Keys.INODE_BYTES, helper);
        ExternalSort places = new ExternalSort(scratch, "places", Keys.INODE_BYTES, helper)) {
      image.read(new Reading(files, others, places));
      files.finish();
      others.finish();
      places.finish();
      comparison = new ImageComparison(old, image.transaction());
      RebuildResult rebuilt = merge(files, others, places, image.transaction());
      DatabaseFolder.remove(scratch);
      whole = true;
      return new Result(built, rebuilt);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      helper.shutdownNow();
      if (!whole) {
        built.leave();
      }
    }
  }

  /** Receives the image and passes its records to the sorts. */
  private final class Reading implements Image.Visitor {
    private final ExternalSort files;
    private final ExternalSort others;
    private final ExternalSort places;
    private final RecordWriter out = new RecordWriter();
    private final byte[] key = new byte[Keys.INODE_BYTES];
    private long inodes;

    private Reading(ExternalSort files, ExternalSort others, ExternalSort places) {
      this.files = files;
      this.others = others;
      this.places = places;
    }

    @Override
    public void inode(Inode inode) {
      // The parent follows later in the image. Until then the inode id is stored in its place, as
      // one byte.
      Entry entry = Entry.of(inode, inode.id());
      Keys.inode(inode.id(), key);
      out.clear();
      if (entry instanceof FileEntry file) {
        EntryFormats.write(file, built.dictionary(), out);
        files.add(key, out.array(), out.size());
      } else {
        out.octet(entry.type().tag())
            .append(
                entry instanceof DirectoryEntry directory
                    ? EntryFormats.encode(directory)
                    : EntryFormats.encode((LinkEntry) entry));
        others.add(key, out.array(), out.size());
      }
      if (++inodes % TOLD_EACH == 0) {
        progress.at(Phase.READING, inodes);
      }
    }

    @Override
    public void place(long child, long parent) {
      Keys.inode(child, key);
      out.clear().signed(child - parent);
      places.add(key, out.array(), out.size());
    }
  }

  private RebuildResult merge(
      ExternalSort files, ExternalSort others, ExternalSort places, long transaction) {
    Database database = built.database();
    try (ExternalSort children = new ExternalSort(scratch, "children", Keys.PLACE_BYTES, helper);
        ExternalSort ranks = new ExternalSort(scratch, "ranks", Keys.RANK_BYTES, helper);
        BulkLoad fileTable = new BulkLoad(database, Column.FILES, scratch);
        BulkLoad directoryTable = new BulkLoad(database, Column.DIRECTORIES, scratch);
        BulkLoad linkTable = new BulkLoad(database, Column.LINKS, scratch)) {
      Placing placing = new Placing(children);
      try (ExternalSort.Sorted sorted = others.sorted();
          Places where = new Places(places)) {
        mergeOthers(sorted, where, placing, directoryTable, linkTable);
      }
      try (ExternalSort.Sorted sorted = files.sorted();
          Places where = new Places(places)) {
        mergeFiles(sorted, where, placing, ranks, fileTable);
      }
      children.finish();
      ranks.finish();
      fileTable.ingest();
      directoryTable.ingest();
      linkTable.ingest();
      CompletableFuture<Void> order = CompletableFuture.runAsync(() -> fillOrder(ranks), helper);
      try {
        fillPlaces(children);
      } finally {
        await(order);
      }
      long count = fileTable.written();
      finish(transaction, count);
      return new RebuildResult(
          transaction, count, directories, links, snapshotOnly, remembered, comparison.result());
    }
  }

  private static void await(CompletableFuture<Void> future) {
    try {
      future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** The parents of inodes, queried in the order of the inode ids. */
  private static final class Places implements AutoCloseable {
    private final ExternalSort.Sorted sorted;

    private Places(ExternalSort places) {
      this.sorted = places.sorted();
    }

    /** Returns the parent; empty if the inode is in no directory. */
    Optional<Long> of(long id) {
      Optional<Long> parent = Optional.empty();
      while (sorted.isValid() && sorted.number() <= id) {
        if (sorted.number() == id) {
          RecordReader in =
              new RecordReader(sorted.array(), sorted.valueAt(), sorted.valueLength());
          parent = Optional.of(id - in.signed());
        }
        sorted.next();
      }
      return parent;
    }

    @Override
    public void close() {
      sorted.close();
    }
  }

  /** Passes the place of each entry to the sort by place. */
  private static final class Placing {
    private final ExternalSort children;
    private final byte[] key = new byte[Keys.PLACE_BYTES];
    private final RecordWriter out = new RecordWriter();

    private Placing(ExternalSort children) {
      this.children = children;
    }

    void add(Entry entry) {
      Keys.place(entry.parent(), Keys.hash(entry.name()), key);
      Child.of(entry).write(out.clear());
      children.add(key, out.array(), out.size());
    }
  }

  private void mergeOthers(
      ExternalSort.Sorted sorted,
      Places places,
      Placing placing,
      BulkLoad directoryTable,
      BulkLoad linkTable) {
    byte[] key = new byte[Keys.INODE_BYTES];
    for (; sorted.isValid(); sorted.next()) {
      long id = sorted.number();
      RecordReader in = new RecordReader(sorted.array(), sorted.valueAt(), sorted.valueLength());
      boolean directory = in.octet() == Entry.Type.DIRECTORY.tag();
      Entry inImage =
          directory ? EntryFormats.readDirectory(id, in) : EntryFormats.readLink(id, in);
      Optional<Long> parent = id == Inode.ROOT ? Optional.of(0L) : places.of(id);
      if (parent.isEmpty()) {
        snapshotOnly++;
        continue;
      }
      Entry entry = inImage.movedTo(parent.get(), inImage.name());
      Keys.inode(id, key);
      if (entry instanceof DirectoryEntry found) {
        if (comparison.compare(found)) {
          moved.add(id);
        }
        byte[] value = EntryFormats.encode(found);
        directoryTable.add(key, 0, key.length, value, 0, value.length);
        directories++;
      } else {
        byte[] value = EntryFormats.encode((LinkEntry) entry);
        linkTable.add(key, 0, key.length, value, 0, value.length);
        links++;
      }
      if (id != Inode.ROOT) {
        placing.add(entry);
      }
    }
    comparison.endOfDirectories();
  }

  private void mergeFiles(
      ExternalSort.Sorted sorted,
      Places places,
      Placing placing,
      ExternalSort ranks,
      BulkLoad fileTable) {
    byte[] key = new byte[Keys.INODE_BYTES];
    byte[] rank = new byte[Keys.RANK_BYTES];
    RecordWriter out = new RecordWriter();
    long met = 0;
    try (Cursor known = old.database().cursor(Column.FILES)) {
      known.seek(Keys.inode(0));
      for (; sorted.isValid(); sorted.next()) {
        long id = sorted.number();
        RecordReader in = new RecordReader(sorted.array(), sorted.valueAt(), sorted.valueLength());
        FileEntry inImage = EntryFormats.readFile(id, in, built.dictionary());
        Optional<Long> parent = places.of(id);
        if (parent.isEmpty()) {
          snapshotOnly++;
          continue;
        }
        FileEntry file = inImage.movedTo(parent.get(), inImage.name());
        FileEntry now = remembering(file, comparison.compare(file, known));
        Keys.inode(id, key);
        EntryFormats.write(now, built.dictionary(), out.clear());
        fileTable.add(key, 0, key.length, out.array(), 0, out.size());
        placing.add(now);
        Keys.rank(now.epoch(), now.lastUsed(), id, rank);
        ranks.add(rank, NOTHING, 0);
        if (++met % TOLD_EACH == 0) {
          progress.at(Phase.MERGING, met);
        }
      }
      comparison.endOfFiles(known);
    }
  }

  private FileEntry remembering(FileEntry inImage, Optional<FileEntry> known) {
    if (known.isEmpty()) {
      return inImage.firstSeen(decay);
    }
    FileEntry same = known.get();
    FileEntry merged = inImage.remembering(same, decay);
    if (!merged.equals(inImage)) {
      remembered++;
    }
    if (same.skipTag() != 0
        && same.epoch() == old.state().epoch()
        && !same.stale()
        && merged.looksLike(same)
        && merged.parent() == same.parent()) {
      skipped++;
      return merged.skip(same.skipTag(), IndexCounters.NEW.epoch());
    }
    return merged;
  }

  private void fillOrder(ExternalSort ranks) {
    try (ExternalSort.Sorted sorted = ranks.sorted();
        BulkLoad table = new BulkLoad(built.database(), Column.ORDER, scratch)) {
      for (; sorted.isValid(); sorted.next()) {
        table.add(sorted.array(), sorted.keyAt(), Keys.RANK_BYTES, NOTHING, 0, 0);
      }
      table.ingest();
    }
  }

  /** Entries whose names have the same hash share one record. */
  private void fillPlaces(ExternalSort children) {
    byte[] place = new byte[Keys.PLACE_BYTES];
    RecordWriter there = new RecordWriter();
    try (ExternalSort.Sorted sorted = children.sorted();
        BulkLoad table = new BulkLoad(built.database(), Column.PLACES, scratch)) {
      for (; sorted.isValid(); sorted.next()) {
        byte[] array = sorted.array();
        int at = sorted.keyAt();
        if (there.size() > 0
            && !Arrays.equals(place, 0, place.length, array, at, at + place.length)) {
          table.add(place, 0, place.length, there.array(), 0, there.size());
          there.clear();
        }
        System.arraycopy(array, at, place, 0, place.length);
        there.append(array, sorted.valueAt(), sorted.valueLength());
      }
      if (there.size() > 0) {
        table.add(place, 0, place.length, there.array(), 0, there.size());
      }
      table.ingest();
    }
  }

  private void finish(long transaction, long files) {
    IndexCounters before = old.state();
    IndexCounters state =
        new IndexCounters(
            transaction,
            files,
            skipped,
            before.provisional(),
            IndexCounters.NEW.epoch(),
            IndexCounters.NEW.oldestEpoch());
    Database.Changes changes = built.database().changes();
    old.watermarks().forEach(watermark -> built.write(watermark, changes));
    if (skipped > 0) {
      moved.forEach(
          directory ->
              changes.put(
                  Column.DEFERRED_TASKS,
                  new DeferredTask(DeferredTask.Task.UNSKIP_FILES, directory).key(),
                  NOTHING));
    }
    built.write(state, changes);
    changes.commit();
    built.holds(state);
    built.database().sync();
  }
}
