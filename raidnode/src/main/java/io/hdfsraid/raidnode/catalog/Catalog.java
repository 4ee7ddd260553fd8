package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.catalog.problem.CatalogException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * The daemon's notebook, a folder that one process at a time has open. Safe for concurrent use
 * until it is closed.
 */
public final class Catalog implements AutoCloseable {
  /** Changes whenever a table or a key format does; the folder is then rebuilt, never migrated. */
  private static final int FORMAT = 2;

  private static final String FORMAT_KEY = "format";
  private static final String CLUSTER_KEY = "cluster";
  private static final String HOLDER_FILE = "holder";
  private static final String NAMESPACE_FOLDER = "namespace";

  private final Path folder;
  private final Store store;
  private final KnownFiles files;
  private final KnownGroups groups;
  private final Reheats reheats;
  private final EarlierUse earlierUse;
  private final RepairLedger repairs;
  private final ScrubLedger scrubs;
  private final RottenReplicas rotten;
  private final History history;
  private final Notes notes;
  private final ReheatCosts reheatCosts;
  private final NamespaceIndex namespace;

  private Catalog(Path folder, Store store, NamespaceIndex namespace, Clock clock) {
    this.folder = folder;
    this.store = store;
    this.files = new KnownFiles(store);
    this.groups = new KnownGroups(store);
    this.reheats = new Reheats(store);
    this.earlierUse = new EarlierUse(store);
    this.repairs = new RepairLedger(store);
    this.scrubs = new ScrubLedger(store);
    this.rotten = new RottenReplicas(store);
    this.history = new History(store);
    this.notes = new Notes(store);
    this.reheatCosts = new ReheatCosts(notes, clock);
    this.namespace = namespace;
  }

  /**
   * Opens the catalog in a folder, which is made when there is none.
   *
   * @throws CatalogException with what to do: the folder cannot be written, belongs to something
   *     else, is held by another process, is damaged, or was written by another version
   */
  public static Catalog open(Path folder, Clock clock) {
    prepare(folder);
    Store store = openStore(folder);
    NamespaceIndex namespace = null;
    try {
      checkFormat(store, folder);
      namespace = NamespaceIndex.open(folder.resolve(NAMESPACE_FOLDER), clock);
      Catalog catalog = new Catalog(folder, store, namespace, clock);
      catalog.repairs.takeUp();
      catalog.writeHolder(clock);
      return catalog;
    } catch (RuntimeException e) {
      if (namespace != null) {
        namespace.close();
      }
      store.close();
      throw e;
    }
  }

  private static void prepare(Path folder) {
    try {
      Files.createDirectories(folder);
      if (!Files.isWritable(folder)) {
        throw new AccessDeniedException(folder.toString());
      }
      try (Stream<Path> entries = Files.list(folder)) {
        if (!Files.exists(folder.resolve("CURRENT"))
            && !Files.exists(folder.resolve(HOLDER_FILE))
            && entries.findAny().isPresent()) {
          throw new CatalogException(
              "The folder %s is not empty and holds no catalog: choose an empty one for"
                      .formatted(folder)
                  + " catalog.directory");
        }
      }
    } catch (AccessDeniedException e) {
      throw new CatalogException(
          "The catalog folder %s cannot be written by user %s: permission denied for %s"
              .formatted(folder, System.getProperty("user.name"), e.getFile()),
          e);
    } catch (FileAlreadyExistsException e) {
      throw new CatalogException(
          "The catalog folder %s cannot be made: %s is a file".formatted(folder, e.getFile()), e);
    } catch (IOException e) {
      throw new CatalogException(
          "The catalog folder %s cannot be used: %s".formatted(folder, e), e);
    }
  }

  private static Store openStore(Path folder) {
    try {
      return Store.open(folder);
    } catch (RocksDBException e) {
      String message = String.valueOf(e.getMessage());
      // The only thing RocksDB says of a lock is in its text.
      if (message.contains("/LOCK") || message.contains("lock hold by current process")) {
        throw new CatalogException(
            "The catalog in %s is in use by %s: stop that one first, or choose another folder"
                .formatted(folder, holder(folder)),
            e);
      }
      if (e.getStatus() != null
          && e.getStatus().getCode() == Status.Code.IOError
          && !message.contains("No such file")) {
        throw new CatalogException(
            "The catalog in %s cannot be opened: %s".formatted(folder, message), e);
      }
      throw CatalogException.unreadable(folder, message);
    }
  }

  private static String holder(Path folder) {
    try {
      return Files.readString(folder.resolve(HOLDER_FILE)).strip();
    } catch (IOException e) {
      return "another process";
    }
  }

  private void writeHolder(Clock clock) {
    try {
      Files.writeString(
          folder.resolve(HOLDER_FILE),
          "process %d on %s since %s%n"
              .formatted(ProcessHandle.current().pid(), hostName(), clock.instant()));
    } catch (IOException e) {
      throw new CatalogException(
          "The catalog folder %s cannot be written: %s".formatted(folder, e), e);
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "this host";
    }
  }

  private static void checkFormat(Store store, Path folder) {
    Optional<String> found = store.get(Tables.META, FORMAT_KEY);
    if (found.isEmpty()) {
      if (store.families().size() > Tables.ALL.size() + 1 || !isEmpty(store, Tables.FILES)) {
        throw CatalogException.unreadable(folder, "it was not written by HDFS-RAID");
      }
      store.put(Tables.META, FORMAT_KEY, Integer.toString(FORMAT));
    } else if (!found.get().equals(Integer.toString(FORMAT))) {
      throw CatalogException.unreadable(
          folder,
          "it has format %s and this version reads format %d".formatted(found.get(), FORMAT));
    }
  }

  private static boolean isEmpty(Store store, Table<?, ?> table) {
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
   * @throws CatalogException when it is about another one
   */
  public void bindTo(String identity) {
    Optional<String> bound = store.get(Tables.META, CLUSTER_KEY);
    if (bound.isEmpty()) {
      store.put(Tables.META, CLUSTER_KEY, identity);
    } else if (!bound.get().equals(identity)) {
      throw CatalogException.unreadable(
          folder, "it is about cluster %s and this is %s".formatted(bound.get(), identity));
    }
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
   * as the last census counted them, without those that have come to be known since.
   */
  public List<Total> totals() {
    Map<List<Object>, Total> totals = new LinkedHashMap<>();
    Stream<Total> counted =
        notes.record(Notes.CENSUS, CensusReport.class).stream()
            .flatMap(census -> census.lines().stream())
            .map(CensusLine::total)
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
                    List.of(total.status(), total.reason()),
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
      throw new CatalogException("The catalog in %s forgets what it is told".formatted(folder));
    }
  }

  /** For tests: what has been stepped over so far to find what was asked for. */
  long steps() {
    return store.steps();
  }

  /** Nobody else may be using it any more. */
  @Override
  public void close() {
    namespace.close();
    store.close();
  }
}
