// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.index.Generation.Place;
import io.hdfsraid.recency.index.Generation.Step;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.rocksdb.Database;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A set of changes to a generation, collected in memory and written together. Later changes see the
 * earlier ones. Used by one thread.
 */
final class IndexUpdate {
  private static final byte[] NOTHING = new byte[0];

  private final Generation generation;
  private final Map<Long, Slot> slots = new HashMap<>();
  private final Map<Place, Children> places = new HashMap<>();
  private final Map<DeferredTask, Optional<byte[]>> deferred = new LinkedHashMap<>();
  private final RecordWriter writer = new RecordWriter();
  private long provisional;
  private long directoryChanges;

  /** An inode before and after the update; null if there is none. */
  private static final class Slot {
    private final Entry before;
    private Entry now;
    private boolean touched;

    private Slot(Entry before) {
      this.before = before;
      this.now = before;
    }
  }

  private static final class Children {
    private final List<Child> before;
    private List<Child> now;

    private Children(List<Child> before) {
      this.before = before;
      this.now = before;
    }
  }

  IndexUpdate(Generation generation) {
    this.generation = generation;
    this.provisional = generation.state().provisional();
  }

  Generation generation() {
    return generation;
  }

  /** Returns a number for an entry whose inode id is unknown. */
  long nextProvisional() {
    provisional--;
    slots.put(provisional, new Slot(null)); // unused so far: no look-up needed
    return provisional;
  }

  Optional<Entry> entry(Child child) {
    return Optional.ofNullable(slot(child).now);
  }

  Optional<FileEntry> file(long id) {
    Slot slot = slot(new Child(id, Entry.Type.FILE));
    return slot.now instanceof FileEntry file ? Optional.of(file) : Optional.empty();
  }

  Optional<DirectoryEntry> directory(long id) {
    Slot slot = slots.get(id);
    if (slot == null) {
      return generation.directories().find(id);
    }
    return slot.now instanceof DirectoryEntry directory ? Optional.of(directory) : Optional.empty();
  }

  private Slot slot(Child child) {
    return slots.computeIfAbsent(
        child.id(),
        id -> new Slot(generation.entry(child).<Entry>map(found -> found).orElse(null)));
  }

  /** Returns the entry with this number, of any type. */
  Optional<Entry> inode(long id) {
    Slot slot = slots.get(id);
    if (slot != null) {
      return Optional.ofNullable(slot.now);
    }
    for (Entry.Type type : Entry.Type.values()) {
      Optional<? extends Entry> found = generation.entry(new Child(id, type));
      if (found.isPresent()) {
        return Optional.of(found.get());
      }
    }
    return Optional.empty();
  }

  /** Reads many files at once that will be needed soon. */
  void prefetchFiles(Collection<Long> ids) {
    List<Long> sorted =
        ids.stream().filter(id -> !slots.containsKey(id)).distinct().sorted().toList();
    List<byte[]> found =
        generation.database().getAll(Column.FILES, sorted.stream().map(Keys::inode).toList());
    for (int i = 0; i < sorted.size(); i++) {
      byte[] bytes = found.get(i);
      if (bytes != null) {
        slots.put(sorted.get(i), new Slot(generation.decodeFile(sorted.get(i), bytes)));
      }
    }
  }

  /** Reads the entries at many places at once, and the files there, that will be needed soon. */
  void prefetchPlaces(Collection<Place> expected) {
    List<Place> missing =
        expected.stream().distinct().filter(place -> !places.containsKey(place)).toList();
    List<byte[]> keys = new ArrayList<>(missing.size());
    for (Place place : missing) {
      if (kept(place).isEmpty()) {
        keys.add(Keys.place(place.parent(), place.hash()));
      }
    }
    keys.sort(Arrays::compareUnsigned);
    List<byte[]> found = generation.database().getAll(Column.PLACES, keys);
    List<Long> files = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      byte[] bytes = found.get(i);
      List<Child> children = bytes == null ? List.of() : generation.decodeChildren(bytes);
      places.put(new Place(Keys.inode(key), Keys.hashAt(key)), new Children(children));
      for (Child child : children) {
        if (child.type() == Entry.Type.FILE) {
          files.add(child.id());
        }
      }
    }
    prefetchFiles(files);
  }

  /** Returns the entries at a place if they are in memory. */
  private Optional<Children> kept(Place place) {
    Children known = places.get(place);
    if (known != null) {
      return Optional.of(known);
    }
    return generation
        .alone()
        .find(place)
        .map(
            file -> {
              Children children = new Children(List.of(Child.of(file)));
              slots.putIfAbsent(file.id(), new Slot(file));
              places.put(place, children);
              return children;
            });
  }

  private Children at(Place place) {
    return kept(place)
        .orElseGet(
            () -> {
              Children read = new Children(generation.children(place.parent(), place.hash()));
              places.put(place, read);
              return read;
            });
  }

  /** Returns the entry of a directory under a name. */
  Optional<Entry> child(long parent, String name) {
    for (Child child : at(Place.of(parent, name)).now) {
      Entry entry = slot(child).now;
      if (entry != null && entry.parent() == parent && entry.name().equals(name)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** Returns the subdirectory under a name. Frequent look-ups are cached. */
  Optional<Long> step(long parent, String name) {
    Step step = new Step(parent, name);
    Optional<Long> kept = generation.steps().find(step);
    if (kept.isPresent()) {
      Slot slot = slots.get(kept.get());
      if (slot == null || (slot.now != null && slot.now == slot.before)) {
        return kept;
      }
    }
    Optional<Entry> child = child(parent, name);
    if (child.isEmpty() || !(child.get() instanceof DirectoryEntry directory)) {
      return Optional.empty();
    }
    Slot slot = slots.get(directory.id());
    if (slot == null || slot.now == slot.before) {
      generation.steps().keep(step, directory.id(), generation.steps().changes());
    }
    return Optional.of(directory.id());
  }

  /** Returns a number that grows whenever a directory is created, moved, removed or renumbered. */
  long directoryChanges() {
    return directoryChanges;
  }

  /** Adds an entry. Its place must be free. */
  void add(Entry entry) {
    countDirectory(entry);
    Slot slot = slots.computeIfAbsent(entry.id(), id -> new Slot(inode(id).orElse(null)));
    if (slot.now != null) {
      displace(slot.now);
    }
    slot.now = entry;
    slot.touched = true;
    Children children = at(Place.of(entry));
    List<Child> more = new ArrayList<>(children.now);
    more.add(Child.of(entry));
    children.now = List.copyOf(more);
    DeferredTask sweeping = new DeferredTask(DeferredTask.Task.REMOVE_CONTENTS, entry.id());
    if (entry instanceof DirectoryEntry && has(sweeping)) {
      finish(sweeping); // it has come back with all its contents
    }
  }

  /** Changes an entry that stays at its place. */
  void change(Entry entry) {
    slotOf(entry).now = entry;
  }

  /** Changes the attributes of an entry that HDFS knows, too; the transaction is noted. */
  void changeFacts(Entry entry) {
    change(entry);
    slotOf(entry).touched = true;
  }

  /** Moves an entry with all that is below it. The new place must be free. */
  void move(Entry entry, long parent, String name) {
    file(entry, parent, name);
    if (entry instanceof DirectoryEntry && generation.state().skipped() > 0) {
      add(new DeferredTask(DeferredTask.Task.UNSKIP_FILES, entry.id()));
    }
  }

  /** Moves an entry whose path stays the same, because its directory got another number. */
  void file(Entry entry, long parent, String name) {
    displace(entry);
    slotOf(entry).now = null;
    add(entry.movedTo(parent, name));
  }

  /** Removes an entry. A deferred task removes the entries below it. */
  void remove(Entry entry) {
    displace(entry);
    Slot slot = slotOf(entry);
    slot.now = null;
    slot.touched = true;
    if (entry instanceof DirectoryEntry) {
      add(new DeferredTask(DeferredTask.Task.REMOVE_CONTENTS, entry.id()));
    }
  }

  /** Removes a number. The entry may exist under another number. */
  void erase(Entry entry) {
    countDirectory(entry);
    slotOf(entry).now = null;
  }

  private void countDirectory(Entry entry) {
    directoryChanges += entry instanceof DirectoryEntry ? 1 : 0;
  }

  /** Returns the entries of a directory before this update. */
  List<Child> childrenBefore(long directory) {
    return childrenBefore(directory, Integer.MAX_VALUE);
  }

  /** Returns at most so many entries of a directory before this update. */
  List<Child> childrenBefore(long directory, int most) {
    List<Child> found = new ArrayList<>();
    try (Database.Cursor cursor = generation.database().cursor(Column.PLACES)) {
      for (cursor.seek(Keys.place(directory, 0)); cursor.isValid(); cursor.next()) {
        if (Keys.inode(cursor.key()) != directory) {
          break;
        }
        for (Child child : generation.decodeChildren(cursor.value())) {
          if (found.size() == most) {
            return found;
          }
          found.add(child);
        }
      }
    }
    return found;
  }

  /** Removes an entry from its place. */
  void displace(Entry entry) {
    countDirectory(entry);
    displace(Place.of(entry), entry.id());
  }

  void displace(long parent, int hash, long id) {
    displace(new Place(parent, hash), id);
  }

  private void displace(Place place, long id) {
    Children children = at(place);
    children.now = children.now.stream().filter(child -> child.id() != id).toList();
  }

  /** Returns whether a task is deferred. */
  boolean has(DeferredTask task) {
    Optional<byte[]> pending = deferred.get(task);
    return pending == null
        ? generation.database().get(Column.DEFERRED_TASKS, task.key()) != null
        : pending.isPresent();
  }

  void add(DeferredTask task) {
    deferred.put(task, Optional.of(NOTHING));
  }

  /** Notes where a task continues: at the given hash of a name. */
  void postpone(DeferredTask task, int hash) {
    deferred.put(task, Optional.of(Keys.place(task.directory(), hash)));
  }

  void finish(DeferredTask task) {
    deferred.put(task, Optional.empty());
  }

  private Slot slotOf(Entry entry) {
    return slot(Child.of(entry));
  }

  /** Writes all changes and the watermark of their source. */
  void commit(IndexCounters base, Optional<Watermark> watermark) {
    List<Long> directories = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    long files = 0;
    long skipped = 0;
    boolean committed = false;
    Database.Changes changes = generation.database().changes();
    try {
      for (Map.Entry<Long, Slot> each : slots.entrySet()) {
        Slot slot = each.getValue();
        if (slot.touched && base.transaction() >= 0) {
          touch(each.getKey(), slot, base.transaction(), changes);
        }
        if (Objects.equals(slot.now, slot.before)) {
          continue;
        }
        write(each.getKey(), slot, changes);
        files += count(slot.now) - count(slot.before);
        skipped += countSkipped(slot.now) - countSkipped(slot.before);
        noteDirectory(slot.before, directories, steps);
        noteDirectory(slot.now, directories, steps);
      }
      places.forEach((place, children) -> write(place, children, changes));
      deferred.forEach((task, value) -> write(task, value, changes));
      IndexCounters next = base.withMore(files, skipped).havingNamed(provisional);
      if (!next.equals(generation.state())) {
        generation.write(next, changes);
      }
      watermark.ifPresent(mark -> generation.write(mark, changes));
      changes.commit();
      generation.holds(next);
      committed = true;
    } finally {
      cacheAlone(committed);
      if (!directories.isEmpty()) {
        generation.directories().changed(directories);
        generation.steps().forget(steps);
      }
    }
  }

  /**
   * Caches entries that were read or written, because they are soon read again.
   *
   * @param committed whether the changes were written; if not, their files are dropped from the
   *     cache
   */
  private void cacheAlone(boolean committed) {
    ApproximateLruCache<Place, FileEntry> alone = generation.alone();
    Map<Place, FileEntry> now = committed ? filesAlone() : Map.of();
    List<Place> stale = new ArrayList<>();
    for (Place place : places.keySet()) {
      if (!now.containsKey(place)) {
        stale.add(place);
      }
    }
    for (Slot slot : slots.values()) {
      noteFile(slot.before, now, stale);
      noteFile(slot.now, now, stale);
    }
    alone.forget(stale);
    now.forEach((place, file) -> alone.keep(place, file, alone.changes()));
  }

  private Map<Place, FileEntry> filesAlone() {
    Map<Place, FileEntry> files = new HashMap<>();
    places.forEach(
        (place, children) -> {
          if (children.now.size() == 1) {
            Slot slot = slots.get(children.now.get(0).id());
            if (slot != null
                && slot.now instanceof FileEntry file
                && Place.of(file).equals(place)) {
              files.put(place, file);
            }
          }
        });
    return files;
  }

  private static void noteFile(Entry entry, Map<Place, FileEntry> now, List<Place> stale) {
    if (entry instanceof FileEntry) {
      Place place = Place.of(entry);
      if (!now.containsKey(place)) {
        stale.add(place);
      }
    }
  }

  /** Returns whether nothing changes. */
  boolean isEmpty() {
    return slots.values().stream().allMatch(slot -> Objects.equals(slot.now, slot.before))
        && places.values().stream().allMatch(children -> children.now.equals(children.before))
        && deferred.isEmpty();
  }

  /**
   * Notes the last transaction that may have changed an entry. An image knows a provisional entry
   * under its inode id, so its place is noted, too.
   */
  private static void touch(long id, Slot slot, long transaction, Database.Changes changes) {
    byte[] last = new RecordWriter().unsigned(transaction).toBytes();
    changes.put(Column.LAST_CHANGES, Keys.inode(id), last);
    if (slot.before != null
        && slot.before.isProvisional()
        && (slot.now == null || !Place.of(slot.now).equals(Place.of(slot.before)))) {
      changes.put(Column.LAST_CHANGES, Keys.place(slot.before.parent(), slot.before.name()), last);
    }
  }

  private void write(long id, Slot slot, Database.Changes changes) {
    byte[] key = Keys.inode(id);
    if (slot.before != null && (slot.now == null || slot.now.type() != slot.before.type())) {
      changes.remove(columnOf(slot.before), key);
    }
    if (slot.now != null) {
      changes.put(columnOf(slot.now), key, encode(slot.now));
    }
    byte[] rankBefore = rankOf(slot.before);
    byte[] rankNow = rankOf(slot.now);
    if (!Arrays.equals(rankBefore, rankNow)) {
      if (rankBefore.length > 0) {
        changes.remove(Column.ORDER, rankBefore);
      }
      if (rankNow.length > 0) {
        changes.put(Column.ORDER, rankNow, NOTHING);
      }
    }
  }

  private static byte[] rankOf(Entry entry) {
    return entry instanceof FileEntry file
        ? Keys.rank(file.epoch(), file.lastUsed(), file.id())
        : NOTHING;
  }

  private byte[] encode(Entry entry) {
    if (entry instanceof FileEntry file) {
      EntryFormats.write(file, generation.dictionary(), writer.clear());
      return writer.toBytes();
    }
    return entry instanceof DirectoryEntry directory
        ? EntryFormats.encode(directory)
        : EntryFormats.encode((LinkEntry) entry);
  }

  private static Column columnOf(Entry entry) {
    return switch (entry.type()) {
      case FILE -> Column.FILES;
      case DIRECTORY -> Column.DIRECTORIES;
      case LINK -> Column.LINKS;
    };
  }

  private static void write(Place place, Children children, Database.Changes changes) {
    if (children.now.equals(children.before)) {
      return;
    }
    byte[] key = Keys.place(place.parent(), place.hash());
    if (children.now.isEmpty()) {
      changes.remove(Column.PLACES, key);
    } else {
      changes.put(Column.PLACES, key, Child.encode(children.now));
    }
  }

  private static void write(DeferredTask task, Optional<byte[]> value, Database.Changes changes) {
    value.ifPresentOrElse(
        from -> changes.put(Column.DEFERRED_TASKS, task.key(), from),
        () -> changes.remove(Column.DEFERRED_TASKS, task.key()));
  }

  private static int count(Entry entry) {
    return entry instanceof FileEntry ? 1 : 0;
  }

  private static int countSkipped(Entry entry) {
    return entry instanceof FileEntry file && file.skipTag() != 0 ? 1 : 0;
  }

  private static void noteDirectory(Entry entry, List<Long> directories, List<Step> steps) {
    if (entry instanceof DirectoryEntry directory) {
      directories.add(directory.id());
      steps.add(new Step(directory.parent(), directory.name()));
    }
  }
}
