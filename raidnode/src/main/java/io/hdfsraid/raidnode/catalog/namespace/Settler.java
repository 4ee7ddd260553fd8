package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.namespace.Inode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes a draft to what HDFS says of inodes, and keeps what only the index knows of them. An
 * entry that is not where it was is put into limbo, where nobody finds it: it may have been moved
 * to a directory that is looked at later, and comes back from there as the same.
 */
final class Settler {
  /** The parent of what is in limbo. No directory has this number. */
  static final long LIMBO = 0;

  private final Draft draft;
  private final Smoothing smoothing;
  private long added;
  private long identified;
  private long changed;
  private long moved;

  Settler(Draft draft, Smoothing smoothing) {
    this.draft = draft;
    this.smoothing = smoothing;
  }

  /** This inode is in this directory. */
  void settle(Inode inode, long parent) {
    Entry told = Entry.of(inode, parent);
    if (told instanceof DirectoryEntry directory && directory.isRoot()) {
      change(draft.directory(directory.id()).orElseThrow(), directory);
      return;
    }
    Optional<Entry> known = draft.inode(told.id()).filter(same -> same.type() == told.type());
    if (known.isPresent() && isAt(known.get(), parent, told.name())) {
      change(known.get(), remembering(told, known.get()));
      return;
    }
    Optional<Entry> there = draft.child(parent, told.name());
    if (known.isPresent()) {
      there.ifPresent(this::vanish);
      move(known.get(), remembering(told, known.get()));
    } else if (there.isPresent()
        && there.get().isProvisional()
        && there.get().type() == told.type()) {
      identify(there.get(), told);
    } else {
      there.ifPresent(this::vanish);
      draft.add(told instanceof FileEntry file ? file.firstSeen(smoothing) : told);
      added++;
    }
  }

  private static boolean isAt(Entry entry, long parent, String name) {
    return entry.parent() == parent && entry.name().equals(name);
  }

  private void change(Entry known, Entry now) {
    if (!now.equals(known)) {
      draft.changeFacts(now);
      changed++;
    }
  }

  private void move(Entry known, Entry now) {
    draft.move(known, now.parent(), now.name());
    draft.changeFacts(now);
    moved++;
  }

  /** It is not known any more where it is, or whether it is. */
  void vanish(Entry entry) {
    draft.move(entry, LIMBO, entry.name());
  }

  private void identify(Entry known, Entry told) {
    renumber(known, remembering(told, known));
    identified++;
  }

  private void renumber(Entry known, Entry now) {
    draft.displace(known);
    draft.erase(known);
    draft.add(now);
    if (known instanceof DirectoryEntry) {
      if (draft.has(new Chore(Chore.Task.RANK, known.id()))) {
        draft.add(new Chore(Chore.Task.RANK, now.id()));
      }
      for (Entry child : childrenOf(known.id())) {
        draft.file(child, now.id(), child.name());
      }
    }
  }

  private List<Entry> childrenOf(long directory) {
    List<Entry> entries = new ArrayList<>();
    for (Child child : draft.childrenBefore(directory)) {
      draft.entry(child).filter(entry -> entry.parent() == directory).ifPresent(entries::add);
    }
    return entries;
  }

  private Entry remembering(Entry told, Entry known) {
    if (told instanceof FileEntry file && known instanceof FileEntry same) {
      FileEntry merged = file.remembering(same, smoothing);
      return merged.looksLike(same) && !same.stale() && merged.parent() == same.parent()
          ? merged.setAside(same.aside(), same.epoch())
          : merged;
    }
    return told;
  }

  /** These are all that are in a directory. */
  void settleAll(long directory, List<Inode> inodes, long startedAt) {
    Set<Long> told = new HashSet<>();
    List<Long> files = new ArrayList<>();
    for (Inode inode : inodes) {
      told.add(inode.id());
      if (inode instanceof Inode.File) {
        files.add(inode.id());
      }
    }
    draft.expectFiles(files);
    List<Child> before = draft.childrenBefore(directory);
    for (Inode inode : inodes) {
      settle(inode, directory);
    }
    for (Child child : before) {
      if (!told.contains(child.id())) {
        draft
            .entry(child)
            .filter(entry -> entry.parent() == directory && !isNewerThan(startedAt, entry))
            .ifPresent(this::vanish);
      }
    }
  }

  /**
   * Gives what is provisional in a directory, and what is doubtful, the numbers and facts that HDFS
   * tells. Nothing else is changed: what is told here may be ahead of the events that are yet to
   * come, which presuppose what there was.
   */
  void identifyAll(Inode.Directory directory, long parent, List<Inode> inodes) {
    if (directory.id() != Inode.ROOT) {
      identify(directory, parent);
    }
    if (draft.directory(directory.id()).isPresent()) {
      inodes.forEach(inode -> identify(inode, directory.id()));
    }
  }

  private void identify(Inode inode, long parent) {
    Entry told = Entry.of(inode, parent);
    Optional<Entry> there =
        draft.child(parent, told.name()).filter(entry -> entry.type() == told.type());
    if (there.isEmpty()) {
      return;
    }
    if (there.get().isProvisional()) {
      // Events that were late had given its number to something else.
      draft.inode(told.id()).ifPresent(this::disown);
      identify(there.get(), told);
    } else if (there.get().id() == told.id()
        && there.get() instanceof FileEntry file
        && file.stale()) {
      change(file, remembering(told, file));
    }
  }

  private void disown(Entry entry) {
    renumber(entry, entry.identified(draft.nextProvisional()));
  }

  /** What an event told of after a listing had begun may be missing in it. */
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
