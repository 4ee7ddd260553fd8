// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.rocksdb.Database;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.rocksdb.DatabaseFolder;
import io.hdfsraid.recency.rocksdb.Table;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The database of the daemon, in a folder that only one process opens at a time. Safe for
 * concurrent use until it is closed.
 */
public final class Catalog implements AutoCloseable {
  /** Changes whenever a table or a key format does; the folder is then rebuilt, never migrated. */
  public static final int FORMAT = 6;

  private static final String FORMAT_KEY = "format";
  private static final String CLUSTER_KEY = "cluster";
  static final String NAME = "catalog";
  static final Database.Memory MEMORY = new Database.Memory(64L << 20, 64L << 20);
  static final String NAMESPACE_FOLDER = "namespace";

  private final DatabaseFolder folder;
  private final TableStore store;
  private final KnownFiles files;
  private final KnownGroups groups;
  private final Reheats reheats;
  private final ChangedFiles changed;
  private final ChangedFiles changedAccess;
  private final EncodingReads encodingReads;
  private final EarlierUse earlierUse;
  private final RepairLedger repairs;
  private final ScrubLedger scrubs;
  private final RottenReplicas rotten;
  private final History history;
  private final KnownTasks tasks;
  private final Notes notes;
  private final ReheatCosts reheatCosts;
  private final NamespaceIndex namespace;

  private Catalog(DatabaseFolder folder, TableStore store, NamespaceIndex namespace, Clock clock) {
    this.folder = folder;
    this.store = store;
    this.files = new KnownFiles(store);
    this.groups = new KnownGroups(store);
    this.reheats = new Reheats(store);
    this.changed = new ChangedFiles(store, Tables.CHANGED);
    this.changedAccess = new ChangedFiles(store, Tables.CHANGED_ACCESS);
    this.encodingReads = new EncodingReads(store, clock);
    this.earlierUse = new EarlierUse(store);
    this.repairs = new RepairLedger(store);
    this.scrubs = new ScrubLedger(store);
    this.rotten = new RottenReplicas(store);
    this.history = new History(store);
    this.tasks = new KnownTasks(store);
    this.notes = new Notes(store);
    this.reheatCosts = new ReheatCosts(notes, clock);
    this.namespace = namespace;
  }

  /**
   * Opens the catalog in a folder, which is made when there is none.
   *
   * @throws DatabaseException with what to do: the folder cannot be written, belongs to something
   *     else, is held by another process, is damaged, or was written by another version
   */
  public static Catalog open(Path folder, Clock clock) {
    DatabaseFolder locked = DatabaseFolder.open(folder, NAME, clock);
    TableStore store = null;
    NamespaceIndex namespace = null;
    try {
      store = TableStore.open(folder, NAME, MEMORY, Tables.ALL);
      checkFormat(store, folder);
      namespace = NamespaceIndex.open(folder.resolve(NAMESPACE_FOLDER), clock);
      Catalog catalog = new Catalog(locked, store, namespace, clock);
      catalog.repairs.takeUp(clock.instant());
      catalog.tasks.giveUp(clock.instant());
      return catalog;
    } catch (RuntimeException e) {
      if (namespace != null) {
        namespace.close();
      }
      if (store != null) {
        store.close();
      }
      locked.close();
      throw e;
    }
  }

  static void checkFormat(TableStore store, Path folder) {
    Optional<String> found = store.get(Tables.META, FORMAT_KEY);
    if (found.isEmpty()) {
      if (store.families().size() > Tables.ALL.size() + 1 || !isEmpty(store, Tables.FILES)) {
        throw DatabaseException.unreadable(NAME, folder, "it was not written by HDFS-RAID");
      }
      store.put(Tables.META, FORMAT_KEY, Integer.toString(FORMAT));
    } else if (!found.get().equals(Integer.toString(FORMAT))) {
      throw DatabaseException.unreadable(
          NAME,
          folder,
          "it has format %s and this version reads format %d".formatted(found.get(), FORMAT));
    }
  }

  private static boolean isEmpty(TableStore store, Table<?, ?> table) {
    boolean[] empty = {true};
    store.ascend(
        table,
        Optional.empty(),
        (key, value) -> {
          empty[0] = false;
          return false;
        });
    return empty[0];
  }

  /**
   * Makes sure that the catalog is about this cluster; a new one becomes so. Inode ids repeat
   * across clusters, so a catalog of another one would be wrong about every file.
   *
   * @param identity of the cluster and the block pool, in whatever form, always the same
   * @throws DatabaseException when it is about another one
   */
  public void bindTo(String identity) {
    Optional<String> bound = store.get(Tables.META, CLUSTER_KEY);
    if (bound.isEmpty()) {
      store.put(Tables.META, CLUSTER_KEY, identity);
    } else if (!bound.get().equals(identity)) {
      throw folder.unreadable(
          "it is about cluster %s and this is %s".formatted(bound.get(), identity));
    }
  }

  /** Returns a number that grows with each change, but for those of {@link #namespace}. */
  public long sequence() {
    return store.sequence();
  }

  public KnownFiles files() {
    return files;
  }

  public KnownGroups groups() {
    return groups;
  }

  public Reheats reheats() {
    return reheats;
  }

  public EncodingReads encodingReads() {
    return encodingReads;
  }

  public ChangedFiles changed() {
    return changed;
  }

  /** Returns the raided files that other users may reach by path than before. */
  public ChangedFiles changedAccess() {
    return changedAccess;
  }

  public EarlierUse earlierUse() {
    return earlierUse;
  }

  public RepairLedger repairs() {
    return repairs;
  }

  public ScrubLedger scrubs() {
    return scrubs;
  }

  public RottenReplicas rotten() {
    return rotten;
  }

  public History history() {
    return history;
  }

  public KnownTasks tasks() {
    return tasks;
  }

  public ReheatCosts reheatCosts() {
    return reheatCosts;
  }

  public Notes notes() {
    return notes;
  }

  /** Every file and directory there is, and when each was last used. */
  public NamespaceIndex namespace() {
    return namespace;
  }

  /**
   * How much there is of each kind of file: of those known one by one as it is now, of all others
   * as the last evaluation counted them, without those that have come to be known since.
   */
  public List<Total> totals() {
    Map<List<Object>, Total> totals = new LinkedHashMap<>();
    Stream<Total> counted =
        notes.record(Notes.EVALUATION, EvaluationReport.class).stream()
            .flatMap(evaluation -> evaluation.lines().stream())
            .map(EvaluationLine::total)
            .collect(
                Collectors.groupingBy(Tables.Kind::of, LinkedHashMap::new, Collectors.toList()))
            .values()
            .stream()
            .map(same -> same.stream().reduce((sum, more) -> sum.plus(1, more)).orElseThrow())
            .map(files.newcomers()::without);
    Stream.concat(files.totals().stream(), counted)
        .forEach(
            total ->
                totals.merge(
                    List.of(total.state(), total.reason()),
                    total,
                    (sum, more) -> sum.plus(1, more)));
    return List.copyOf(totals.values());
  }

  /** Tidies up; may take a while, and others go on meanwhile. */
  public void compact() {
    store.compact(Tables.HISTORY);
  }

  /** Writes and reads back a note. */
  public void probe() {
    store.put(Tables.META, "probe", "ok");
    if (!store.get(Tables.META, "probe").equals(Optional.of("ok"))) {
      throw new DatabaseException(
          "The catalog in %s forgets what it is told".formatted(folder.path()));
    }
  }

  /** For tests: what has been stepped over so far to find what was asked for. */
  long steps() {
    return store.steps();
  }

  /** Closes the catalog. No other thread may use it any more. */
  @Override
  public void close() {
    namespace.close();
    store.close();
    folder.close();
  }
}
