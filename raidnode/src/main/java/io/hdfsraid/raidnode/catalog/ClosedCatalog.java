// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.rocksdb.DatabaseFolder;
import io.hdfsraid.recency.rocksdb.Table;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * The folder of a {@link Catalog} that no daemon has open: it is locked while something is done to
 * it. All methods throw {@link DatabaseException}, with what to do, if there is no catalog, if a
 * process has it open, or if it is damaged.
 */
public final class ClosedCatalog {
  /** Every RocksDB database has this file. */
  private static final String ROCKSDB = "CURRENT";

  private static final Set<String> OF_PROCESSES = Set.of(DatabaseFolder.PID_FILE, "LOCK");
  private static final DateTimeFormatter NOW =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Path folder;
  private final Clock clock;

  /**
   * The entries of a catalog, counted.
   *
   * @param entries the number of entries by table
   * @param files the number of files in the index of the namespace
   */
  public record Content(Map<String, Long> entries, long files) {
    public Content {
      entries = Map.copyOf(entries);
    }
  }

  /** Names the catalog in a folder. A link to a folder stands for the folder. */
  public ClosedCatalog(Path folder, Clock clock) throws IOException {
    this.folder = Files.exists(folder) ? folder.toRealPath() : folder.toAbsolutePath().normalize();
    this.clock = clock;
  }

  public Path folder() {
    return folder;
  }

  /** Keeps others from opening what is to be read. */
  private DatabaseFolder lock() {
    if (!Files.exists(folder.resolve(ROCKSDB))) {
      throw new DatabaseException("There is no catalog in %s".formatted(folder));
    }
    return DatabaseFolder.open(folder, Catalog.NAME, clock);
  }

  /** Reads all of the catalog and compares all checksums. Changes nothing that it says. */
  public Content check() {
    try (DatabaseFolder locked = lock();
        TableStore store =
            TableStore.open(locked.path(), Catalog.NAME, Catalog.MEMORY, Tables.ALL)) {
      Catalog.checkFormat(store, folder);
      store.verifyChecksums();
      Map<String, Long> entries = new LinkedHashMap<>();
      for (Table<?, ?> table : Tables.ALL) {
        entries.put(table.family(), store.count(table));
      }
      try (NamespaceIndex index =
          NamespaceIndex.open(folder.resolve(Catalog.NAMESPACE_FOLDER), clock)) {
        index.verify();
        return new Content(entries, index.files());
      }
    }
  }

  /** Returns the size of all files of the folder. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> below = Files.walk(folder)) {
      return below
          .filter(Files::isRegularFile)
          .filter(file -> !OF_PROCESSES.contains(file.getFileName().toString()))
          .toList();
    }
  }

  /**
   * Copies the catalog into a folder that does not exist, and reads the copy. If this fails, there
   * is no such folder: the copy has another name until it is whole.
   *
   * @param copied is told of bytes that were copied
   * @return what the copy holds
   */
  public Content copyTo(Path target, LongConsumer copied) throws IOException {
    Path whole = target.toAbsolutePath().normalize();
    if (Files.exists(whole)) {
      throw new DatabaseException("%s exists: name a folder that does not".formatted(whole));
    }
    if (whole.startsWith(folder)) {
      throw new DatabaseException("%s lies in the catalog itself".formatted(whole));
    }
    Path partial = whole.resolveSibling(whole.getFileName() + ".partial");
    DatabaseFolder.remove(partial);
    try (DatabaseFolder locked = lock()) {
      for (Path file : files()) {
        Path copy = partial.resolve(locked.path().relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
        try (FileChannel written = FileChannel.open(copy, StandardOpenOption.WRITE)) {
          written.force(true);
        }
        copied.accept(Files.size(copy));
      }
      Content content = new ClosedCatalog(partial, clock).check();
      Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
      return content;
    } finally {
      DatabaseFolder.remove(partial);
    }
  }

  /**
   * Renames the folder, so that the next daemon begins with an empty one. A catalog that cannot be
   * read is set aside, too.
   *
   * @return its new name
   */
  public Path setAside() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new DatabaseException("There is no catalog in %s".formatted(folder));
    }
    // Refuses a folder of something else.
    try (DatabaseFolder locked = DatabaseFolder.open(folder, Catalog.NAME, clock)) {
      return Files.move(locked.path(), aside(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private Path aside() {
    return folder.resolveSibling(folder.getFileName() + ".before-" + NOW.format(clock.instant()));
  }

  /**
   * Puts a copy of another catalog in the place of this one, which is set aside; nobody can open it
   * meanwhile. A failure leaves this one where it is.
   *
   * @param copied is told of bytes that were copied
   * @return the new name of this one; empty if there was none
   */
  public Optional<Path> restoreFrom(ClosedCatalog backup, LongConsumer copied) throws IOException {
    Path restored = folder.resolveSibling(folder.getFileName() + ".restored");
    // Of an attempt that was cut short.
    DatabaseFolder.remove(restored);
    boolean exists = Files.isDirectory(folder);
    try (DatabaseFolder held = exists ? DatabaseFolder.open(folder, Catalog.NAME, clock) : null) {
      backup.copyTo(restored, copied);
      new ClosedCatalog(restored, clock).distrust();
      if (held == null) {
        Files.move(restored, folder, StandardCopyOption.ATOMIC_MOVE);
        return Optional.empty();
      }
      Path aside = Files.move(folder, aside(), StandardCopyOption.ATOMIC_MOVE);
      try {
        Files.move(restored, folder, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        putBack(aside, e);
        throw new IOException(
            "%s could not be put in the place of %s, where nothing has changed: %s"
                .formatted(restored, folder, e.getMessage()),
            e);
      }
      return Optional.of(aside);
    } finally {
      DatabaseFolder.remove(restored);
    }
  }

  private void putBack(Path aside, IOException why) throws IOException {
    try {
      Files.move(aside, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      e.addSuppressed(why);
      throw new IOException(
          "The catalog is in %s now, and could not be put back into %s: rename it"
              .formatted(aside, folder),
          e);
    }
  }

  private void distrust() {
    try (Catalog catalog = Catalog.open(folder, clock)) {
      catalog.notes().distrust();
    }
  }
}
