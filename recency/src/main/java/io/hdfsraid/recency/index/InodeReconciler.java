// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes an index update to match inodes that HDFS listed, and keeps what only the index knows of
 * them. An entry that is missing in its directory is detached, so that no look-up finds it: it may
 * have moved to a directory that is listed later, and is then recognised as the same file.
 */
final class InodeReconciler {
  /** The parent of detached entries. No directory has this number. */
  static final long DETACHED = 0;

  private final IndexUpdate update;
  private final AccessDecay decay;
  private long added;
  private long identified;
  private long changed;
  private long moved;

  InodeReconciler(IndexUpdate update, AccessDecay decay) {
    this.update = update;
    this.decay = decay;
  }

  /** Applies an inode of a directory. */
  void reconcile(Inode inode, long parent) {
    Entry listed = Entry.of(inode, parent);
    if (listed instanceof DirectoryEntry directory && directory.isRoot()) {
      change(update.directory(directory.id()).orElseThrow(), directory);
      return;
    }
    Optional<Entry> known = update.inode(listed.id()).filter(same -> same.type() == listed.type());
    if (known.isPresent() && isAt(known.get(), parent, listed.name())) {
      change(known.get(), remembering(listed, known.get()));
      return;
    }
    Optional<Entry> there = update.child(parent, listed.name());
    if (known.isPresent()) {
      there.ifPresent(this::vanish);
      move(known.get(), remembering(listed, known.get()));
    } else if (there.isPresent()
        && there.get().isProvisional()
        && there.get().type() == listed.type()) {
      identify(there.get(), listed);
    } else {
      there.ifPresent(this::vanish);
      update.add(listed instanceof FileEntry file ? file.firstSeen(decay) : listed);
      added++;
    }
  }

  private static boolean isAt(Entry entry, long parent, String name) {
    return entry.parent() == parent && entry.name().equals(name);
  }

  private void change(Entry known, Entry now) {
    if (!now.equals(known)) {
      update.changeFacts(now);
      changed++;
    }
  }

  private void move(Entry known, Entry now) {
    update.move(known, now.parent(), now.name());
    update.changeFacts(now);
    moved++;
  }

  /** Detaches an entry: its place is unknown. */
  void vanish(Entry entry) {
    update.move(entry, DETACHED, entry.name());
  }

  private void identify(Entry known, Entry listed) {
    renumber(known, remembering(listed, known));
    identified++;
  }

  private void renumber(Entry known, Entry now) {
    update.displace(known);
    update.erase(known);
    update.add(now);
    if (known instanceof DirectoryEntry) {
      for (DeferredTask.Task task :
          List.of(DeferredTask.Task.UNSKIP_FILES, DeferredTask.Task.REPORT_FILES)) {
        if (update.has(new DeferredTask(task, known.id()))) {
          update.add(new DeferredTask(task, now.id()));
        }
      }
      for (Entry child : childrenOf(known.id())) {
        update.file(child, now.id(), child.name());
      }
    }
  }

  private List<Entry> childrenOf(long directory) {
    List<Entry> entries = new ArrayList<>();
    for (Child child : update.childrenBefore(directory)) {
      update.entry(child).filter(entry -> entry.parent() == directory).ifPresent(entries::add);
    }
    return entries;
  }

  private Entry remembering(Entry listed, Entry known) {
    if (listed instanceof FileEntry file && known instanceof FileEntry same) {
      FileEntry merged = file.remembering(same, decay);
      return merged.looksLike(same) && !same.stale() && merged.parent() == same.parent()
          ? merged.skip(same.skipTag(), same.epoch())
          : merged;
    }
    return listed;
  }

  /** Applies the complete contents of a directory. */
  void reconcileAll(long directory, List<Inode> inodes, long startedAt) {
    Set<Long> listed = new HashSet<>();
    List<Long> files = new ArrayList<>();
    for (Inode inode : inodes) {
      listed.add(inode.id());
      if (inode instanceof Inode.File) {
        files.add(inode.id());
      }
    }
    update.prefetchFiles(files);
    List<Child> before = update.childrenBefore(directory);
    for (Inode inode : inodes) {
      reconcile(inode, directory);
    }
    for (Child child : before) {
      if (!listed.contains(child.id())) {
        update
            .entry(child)
            .filter(entry -> entry.parent() == directory && !isNewerThan(startedAt, entry))
            .ifPresent(this::vanish);
      }
    }
  }

  /**
   * Gives provisional and stale entries of a directory the inode ids and attributes that HDFS
   * listed. Nothing else is changed: the listing may be ahead of events that are still to come and
   * that expect the old state.
   */
  void identifyAll(Inode.Directory directory, long parent, List<Inode> inodes) {
    if (directory.id() != Inode.ROOT) {
      identify(directory, parent);
    }
    if (update.directory(directory.id()).isPresent()) {
      inodes.forEach(inode -> identify(inode, directory.id()));
    }
  }

  private void identify(Inode inode, long parent) {
    Entry listed = Entry.of(inode, parent);
    Optional<Entry> there =
        update.child(parent, listed.name()).filter(entry -> entry.type() == listed.type());
    if (there.isEmpty()) {
      return;
    }
    if (there.get().isProvisional()) {
      // A late event had given this inode id to another entry.
      update.inode(listed.id()).ifPresent(this::disown);
      identify(there.get(), listed);
    } else if (there.get().id() == listed.id()
        && there.get() instanceof FileEntry file
        && file.stale()) {
      change(file, remembering(listed, file));
    }
  }

  private void disown(Entry entry) {
    renumber(entry, entry.identified(update.nextProvisional()));
  }

  /** A file that was created after a listing began may be missing in it. */
  private static boolean isNewerThan(long startedAt, Entry entry) {
    return entry.isProvisional() && entry instanceof FileEntry file && file.modified() >= startedAt;
  }

  long added() {
    return added;
  }

  long identified() {
    return identified;
  }

  long changed() {
    return changed;
  }

  long moved() {
    return moved;
  }
}
