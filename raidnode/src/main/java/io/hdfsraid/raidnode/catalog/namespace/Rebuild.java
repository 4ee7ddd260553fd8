package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.namespace.Database.Cursor;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.namespace.Inode;
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
 * Makes a generation of an image. Inodes and places are sorted by number and met with each other
 * and with what the old generation knows; what comes of it is sorted again as each table wants it,
 * and handed to RocksDB as finished files. Memory does not grow with the namespace.
 */
public final class Rebuild {
  private static final byte[] NOTHING = new byte[0];
  private static final int TOLD_EACH = 100_000;

  /** Is told how far it is. */
  @FunctionalInterface
  public interface Progress {
    void at(Phase phase, long inodes);
  }

  /** What is being done; in this order. */
  public enum Phase {
    /** The image is read. */
    READING,
    /** Inodes are met with their places, and with what was known of them. */
    MEETING
  }

  private final Generation old;
  private final Path folder;
  private final Path scratch;
  private final Smoothing smoothing;
  private final Progress progress;
  private final ExecutorService helper =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "namespace-rebuild"));

  private final List<Long> moved = new ArrayList<>();
  private Generation built;
  private Drifting drifting;
  private long homeless;
  private long remembered;
  private long setAside;
  private long directories;
  private long links;

  Rebuild(Generation old, Path folder, Smoothing smoothing, Progress progress) {
    this.old = old;
    this.folder = folder;
    this.scratch = folder.resolve("scratch");
    this.smoothing = smoothing;
    this.progress = progress;
  }

  /** A generation that is whole and on disk, and what is to be said of it. */
  record Result(Generation generation, Rebuilt rebuilt) {}

  Result run(Image image) throws IOException {
    Files.createDirectories(scratch);
    built = Generation.open(folder, old.kept());
    boolean whole = false;
    try (Sorter files = new Sorter(scratch, "files", Keys.INODE_BYTES, helper);
        Sorter others = new Sorter(scratch, "others", Keys.INODE_BYTES, helper);
        Sorter places = new Sorter(scratch, "places", Keys.INODE_BYTES, helper)) {
      image.read(new Reading(files, others, places));
      files.finish();
      others.finish();
      places.finish();
      drifting = new Drifting(old, image.transaction());
      Rebuilt rebuilt = meet(files, others, places, image.transaction());
      IndexFolder.remove(scratch);
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

  /** Writes down what the image tells, to be sorted. */
  private final class Reading implements Image.Visitor {
    private final Sorter files;
    private final Sorter others;
    private final Sorter places;
    private final RecordWriter out = new RecordWriter();
    private final byte[] key = new byte[Keys.INODE_BYTES];
    private long inodes;

    private Reading(Sorter files, Sorter others, Sorter places) {
      this.files = files;
      this.others = others;
      this.places = places;
    }

    @Override
    public void inode(Inode inode) {
      // Its place comes later; a parent of the same number is written in one byte.
      Entry entry = Entry.of(inode, inode.id());
      Keys.inode(inode.id(), key);
      out.clear();
      if (entry instanceof FileEntry file) {
        Formats.write(file, built.kinds(), out);
        files.add(key, out.array(), out.size());
      } else {
        out.octet(entry.type().tag())
            .append(
                entry instanceof DirectoryEntry directory
                    ? Formats.encode(directory)
                    : Formats.encode((LinkEntry) entry));
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

  private Rebuilt meet(Sorter files, Sorter others, Sorter places, long transaction) {
    Database database = built.database();
    try (Sorter children = new Sorter(scratch, "children", Keys.PLACE_BYTES, helper);
        Sorter ranks = new Sorter(scratch, "ranks", Keys.RANK_BYTES, helper);
        TableFiles fileTable = new TableFiles(database, Column.FILES, scratch);
        TableFiles directoryTable = new TableFiles(database, Column.DIRECTORIES, scratch);
        TableFiles linkTable = new TableFiles(database, Column.LINKS, scratch)) {
      Placing placing = new Placing(children);
      try (Sorter.Sorted sorted = others.sorted();
          Places where = new Places(places)) {
        meetOthers(sorted, where, placing, directoryTable, linkTable);
      }
      try (Sorter.Sorted sorted = files.sorted();
          Places where = new Places(places)) {
        meetFiles(sorted, where, placing, ranks, fileTable);
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
      return new Rebuilt(
          transaction, count, directories, links, homeless, remembered, drifting.result());
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

  /** Where inodes are, asked for in the order of their numbers. */
  private static final class Places implements AutoCloseable {
    private final Sorter.Sorted sorted;

    private Places(Sorter places) {
      this.sorted = places.sorted();
    }

    /** Empty for an inode that is nowhere. */
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

  /** Writes down which entry is where, to be sorted by place. */
  private static final class Placing {
    private final Sorter children;
    private final byte[] key = new byte[Keys.PLACE_BYTES];
    private final RecordWriter out = new RecordWriter();

    private Placing(Sorter children) {
      this.children = children;
    }

    void add(Entry entry) {
      Keys.place(entry.parent(), Keys.hash(entry.name()), key);
      Child.of(entry).write(out.clear());
      children.add(key, out.array(), out.size());
    }
  }

  private void meetOthers(
      Sorter.Sorted sorted,
      Places places,
      Placing placing,
      TableFiles directoryTable,
      TableFiles linkTable) {
    byte[] key = new byte[Keys.INODE_BYTES];
    for (; sorted.isValid(); sorted.next()) {
      long id = sorted.number();
      RecordReader in = new RecordReader(sorted.array(), sorted.valueAt(), sorted.valueLength());
      boolean directory = in.octet() == Entry.Type.DIRECTORY.tag();
      Entry told = directory ? Formats.readDirectory(id, in) : Formats.readLink(id, in);
      Optional<Long> parent = id == Inode.ROOT ? Optional.of(0L) : places.of(id);
      if (parent.isEmpty()) {
        homeless++;
        continue;
      }
      Entry entry = told.movedTo(parent.get(), told.name());
      Keys.inode(id, key);
      if (entry instanceof DirectoryEntry found) {
        if (drifting.meet(found)) {
          moved.add(id);
        }
        byte[] value = Formats.encode(found);
        directoryTable.add(key, 0, key.length, value, 0, value.length);
        directories++;
      } else {
        byte[] value = Formats.encode((LinkEntry) entry);
        linkTable.add(key, 0, key.length, value, 0, value.length);
        links++;
      }
      if (id != Inode.ROOT) {
        placing.add(entry);
      }
    }
    drifting.endOfDirectories();
  }

  private void meetFiles(
      Sorter.Sorted sorted, Places places, Placing placing, Sorter ranks, TableFiles fileTable) {
    byte[] key = new byte[Keys.INODE_BYTES];
    byte[] rank = new byte[Keys.RANK_BYTES];
    RecordWriter out = new RecordWriter();
    long met = 0;
    try (Cursor known = old.database().cursor(Column.FILES)) {
      known.seek(Keys.inode(0));
      for (; sorted.isValid(); sorted.next()) {
        long id = sorted.number();
        RecordReader in = new RecordReader(sorted.array(), sorted.valueAt(), sorted.valueLength());
        FileEntry told = Formats.readFile(id, in, built.kinds());
        Optional<Long> parent = places.of(id);
        if (parent.isEmpty()) {
          homeless++;
          continue;
        }
        FileEntry file = told.movedTo(parent.get(), told.name());
        FileEntry now = remembering(file, drifting.meet(file, known));
        Keys.inode(id, key);
        Formats.write(now, built.kinds(), out.clear());
        fileTable.add(key, 0, key.length, out.array(), 0, out.size());
        placing.add(now);
        Keys.rank(now.epoch(), now.lastUsed(), id, rank);
        ranks.add(rank, NOTHING, 0);
        if (++met % TOLD_EACH == 0) {
          progress.at(Phase.MEETING, met);
        }
      }
      drifting.endOfFiles(known);
    }
  }

  private FileEntry remembering(FileEntry told, Optional<FileEntry> known) {
    if (known.isEmpty()) {
      return told.firstSeen(smoothing);
    }
    FileEntry same = known.get();
    FileEntry merged = told.remembering(same, smoothing);
    if (!merged.equals(told)) {
      remembered++;
    }
    if (same.aside() != 0
        && same.epoch() == old.state().epoch()
        && !same.stale()
        && merged.looksLike(same)
        && merged.parent() == same.parent()) {
      setAside++;
      return merged.setAside(same.aside(), State.NEW.epoch());
    }
    return merged;
  }

  private void fillOrder(Sorter ranks) {
    try (Sorter.Sorted sorted = ranks.sorted();
        TableFiles table = new TableFiles(built.database(), Column.ORDER, scratch)) {
      for (; sorted.isValid(); sorted.next()) {
        table.add(sorted.array(), sorted.keyAt(), Keys.RANK_BYTES, NOTHING, 0, 0);
      }
      table.ingest();
    }
  }

  /** Those that share a place become one entry. */
  private void fillPlaces(Sorter children) {
    byte[] place = new byte[Keys.PLACE_BYTES];
    RecordWriter there = new RecordWriter();
    try (Sorter.Sorted sorted = children.sorted();
        TableFiles table = new TableFiles(built.database(), Column.PLACES, scratch)) {
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
    State before = old.state();
    State state =
        new State(
            transaction,
            files,
            setAside,
            before.provisional(),
            State.NEW.epoch(),
            State.NEW.oldestEpoch());
    Database.Changes changes = built.database().changes();
    old.watermarks().forEach(watermark -> built.write(watermark, changes));
    if (setAside > 0) {
      moved.forEach(
          directory ->
              changes.put(Column.CHORES, new Chore(Chore.Task.RANK, directory).key(), NOTHING));
    }
    built.write(state, changes);
    changes.commit();
    built.holds(state);
    built.database().sync();
  }
}
