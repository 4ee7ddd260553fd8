// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Tables.Kind;
import io.hdfsraid.raidnode.catalog.Tables.Listed;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The records of files that the daemon has changed, or whose raiding was refused, by inode id. All
 * other files are only in the index of the namespace. A record and the totals change together.
 */
public final class KnownFiles {
  /** How many files are held at a time, and how many records are read for them. */
  private static final int BATCH = 1_000;

  private static final int LOOKED_AT = 100_000;

  private final TableStore store;
  private final Newcomers newcomers;

  KnownFiles(TableStore store) {
    this.store = store;
    this.newcomers = new Newcomers(store);
  }

  /** Those that the last evaluation has counted, too. */
  public Newcomers newcomers() {
    return newcomers;
  }

  public Optional<FileRecord> find(long inode) {
    return store.get(Tables.FILES, inode);
  }

  public void put(FileRecord file) {
    putAll(List.of(file));
  }

  /** Replaces what is known of each of these files; all of it together. */
  public synchronized void putAll(Collection<FileRecord> files) {
    TableStore.Changes changes = store.changes();
    Replacement replacement = new Replacement(changes);
    // By inode id. The table does not show what the batch already holds.
    Map<Long, FileRecord> latest = new HashMap<>();
    files.forEach(file -> latest.put(file.inode(), file));
    latest.values().forEach(file -> replacement.replace(find(file.inode()), Optional.of(file)));
    replacement.commit();
  }

  /**
   * Changes what is known of a file, undisturbed by others.
   *
   * @return what is known now; empty when the file is not known
   */
  public synchronized Optional<FileRecord> update(long inode, UnaryOperator<FileRecord> change) {
    Optional<FileRecord> changed = find(inode).map(change);
    changed.ifPresent(this::put);
    return changed;
  }

  /** Writes down what is to be known of a file, undisturbed by others; answers it. */
  public synchronized FileRecord change(
      long inode, Function<Optional<FileRecord>, FileRecord> change) {
    FileRecord changed = change.apply(find(inode));
    put(changed);
    return changed;
  }

  /**
   * Applies news about files in one atomic write. Other writers wait.
   *
   * @param news one entry for each file
   * @param change maps the known record and the news to the new record; an empty result changes
   *     nothing
   */
  public synchronized <T> void merge(
      Collection<T> news,
      ToLongFunction<T> inode,
      BiFunction<Optional<FileRecord>, T, Optional<FileRecord>> change) {
    List<FileRecord> changed = new ArrayList<>(news.size());
    for (T each : news) {
      change.apply(find(inode.applyAsLong(each)), each).ifPresent(changed::add);
    }
    putAll(changed);
  }

  /** Replaces these records by others, but for those that have changed meanwhile. */
  public void replaceUnchanged(Map<FileRecord, FileRecord> judged) {
    merge(
        judged.entrySet(),
        entry -> entry.getKey().inode(),
        (known, entry) -> known.filter(entry.getKey()::equals).map(same -> entry.getValue()));
  }

  public void forget(long inode) {
    forget(inode, file -> true);
  }

  /** Forgets a file unless what is known of it now speaks against it. */
  public synchronized boolean forget(long inode, Predicate<FileRecord> still) {
    Optional<FileRecord> known = find(inode).filter(still);
    TableStore.Changes changes = store.changes();
    Replacement replacement = new Replacement(changes);
    replacement.replace(known, Optional.empty());
    replacement.commit();

    return known.isPresent();
  }

  /** Visits the files with one status by inode id, from the one after {@code after}. */
  public void withStatus(FileState status, long after, Predicate<FileRecord> visitor) {
    if (after == Long.MAX_VALUE) {
      return;
    }
    store.ascend(
        Tables.BY_STATUS,
        Optional.of(new Listed(status, after + 1)),
        (listed, present) ->
            listed.state() == status
                && find(listed.inode())
                    .filter(file -> file.state() == status)
                    .map(visitor::test)
                    .orElse(true));
  }

  /**
   * Visits the inode ids of the files with one status, in order. Reads no records, so this takes a
   * fraction of the time for many files.
   */
  public void idsWithStatus(FileState status, LongConsumer visitor) {
    store.ascend(
        Tables.BY_STATUS,
        Optional.of(new Listed(status, 0)),
        (listed, present) -> {
          if (listed.state() != status) {
            return false;
          }
          visitor.accept(listed.inode());
          return true;
        });
  }

  /** What is done with one file. */
  @FunctionalInterface
  public interface Visitor {
    void visit(FileRecord file) throws IOException;
  }

  /**
   * Visits the files with parity at or below a path by inode id within each status, some at a time:
   * there may be more of them than fit into memory, and visits may take long. A file that changes
   * its status meanwhile may be met twice, or not.
   */
  public void forEachRaidedBelow(String top, Visitor visitor) throws IOException {
    for (FileState status : FileState.values()) {
      Optional<Long> after = Optional.of(-1L);
      while (after.isPresent()) {
        Page page =
            page(
                Optional.of(status),
                file -> file.parity().isPresent() && isBelow(top, file.facts().path()),
                after.get(),
                BATCH,
                LOOKED_AT);
        for (FileRecord file : page.files()) {
          visitor.visit(file);
        }
        after = page.next();
      }
    }
  }

  /** Whether the path is this one, or lies below it; everything lies below {@code /}. */
  public static boolean isBelow(String top, String path) {
    return top.equals("/") || path.equals(top) || path.startsWith(top + "/");
  }

  /**
   * Returns the directory of a path that is so many levels below the top, or the path's own
   * directory if that is higher.
   */
  public static String directoryOf(String path, String top, int levels) {
    String directory = path.substring(0, Math.max(1, path.lastIndexOf('/')));
    int end = top.equals("/") ? 0 : top.length();
    for (int level = 0; level < levels && end < directory.length(); level++) {
      int slash = directory.indexOf('/', end + 1);
      end = slash < 0 ? directory.length() : slash;
    }
    return directory.substring(0, Math.max(1, Math.min(end, directory.length())));
  }

  /**
   * Visits all files by inode id, from the one after {@code after}, until the visitor has enough.
   */
  public void all(long after, Predicate<FileRecord> visitor) {
    if (after == Long.MAX_VALUE) {
      return;
    }
    store.ascend(Tables.FILES, Optional.of(after + 1), (inode, file) -> visitor.test(file));
  }

  /**
   * A page of files by inode id.
   *
   * @param status empty for any
   * @param look how many files to look at, at most, before the page ends without being full
   */
  public Page page(
      Optional<FileState> status, Predicate<FileRecord> wanted, long after, int limit, int look) {
    List<FileRecord> found = new ArrayList<>();
    long[] at = {after, 0};
    boolean[] more = {false};
    Predicate<FileRecord> visitor =
        file -> {
          if (found.size() == limit || at[1] == look) {
            more[0] = true;
            return false;
          }
          at[0] = file.inode();
          at[1]++;
          if (wanted.test(file)) {
            found.add(file);
          }
          return true;
        };
    status.ifPresentOrElse(one -> withStatus(one, after, visitor), () -> all(after, visitor));
    return new Page(found, more[0] ? Optional.of(at[0]) : Optional.empty());
  }

  /**
   * Some files of many.
   *
   * @param next inode id after which the next page begins; empty at the end
   */
  public record Page(List<FileRecord> files, Optional<Long> next) {
    public Page {
      files = List.copyOf(files);
    }
  }

  /** How much there is of each kind of file; those of which there is none are left out. */
  public List<Total> totals() {
    List<Total> totals = new ArrayList<>();
    store.ascend(
        Tables.TOTALS,
        Optional.empty(),
        (kind, total) -> {
          if (total.files() > 0) {
            totals.add(total);
          }
          return true;
        });
    return totals;
  }

  /** Keeps the lists and the totals true to what happens to the records. */
  private final class Replacement {
    private final TableStore.Changes changes;
    private final Map<Kind, Total> totals = new HashMap<>();
    private final List<FileRecord> joining = new ArrayList<>();
    private final List<Long> leaving = new ArrayList<>();

    Replacement(TableStore.Changes changes) {
      this.changes = changes;
    }

    void replace(Optional<FileRecord> before, Optional<FileRecord> after) {
      if (before.isEmpty()) {
        after.ifPresent(joining::add);
      } else if (after.isEmpty()) {
        leaving.add(before.get().inode());
      }
      before.ifPresent(
          file -> {
            changes.remove(Tables.FILES, file.inode());
            changes.remove(Tables.BY_STATUS, Listed.of(file));
            count(-1, file);
          });
      after.ifPresent(
          file -> {
            changes.put(Tables.FILES, file.inode(), file);
            changes.put(Tables.BY_STATUS, Listed.of(file), true);
            count(1, file);
          });
    }

    private void count(int sign, FileRecord file) {
      Kind kind = Kind.of(file);
      Total sum =
          totals.computeIfAbsent(
              kind,
              k -> store.get(Tables.TOTALS, k).orElseGet(() -> Total.none(k.state(), k.reason())));
      totals.put(kind, sum.plus(sign, Total.of(file)));
    }

    void commit() {
      totals.forEach((kind, total) -> changes.put(Tables.TOTALS, kind, total));
      changes.commit();
      joining.forEach(newcomers::joins);
      leaving.forEach(newcomers::leaves);
    }
  }
}
