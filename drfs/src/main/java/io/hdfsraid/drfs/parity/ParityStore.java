// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The parity files of a cluster, below the root ({@code /.raid}). A file belongs to this product
 * only if its directory carries the ownership mark and the daemon's user owns it. Nothing else is
 * ever changed. Safe for concurrent use.
 *
 * <p>Parity is known by a number, its <i>id</i>: the inode id of the file that it protects, or the
 * id of a group ({@link GroupId}).
 */
public interface ParityStore {

  /**
   * Prepares the root for use, or reports why that is not possible.
   *
   * @throws RefusedException if the root is not empty and not ours, is inside an encryption zone or
   *     a snapshotted tree, or if extended attributes are off or too small
   */
  void prepare() throws IOException;

  /** Returns the committed parity with this id and its manifest. */
  Optional<ParityFile> find(long id) throws IOException;

  /**
   * Returns the id of the committed parity that belongs at this path; empty for any other path.
   * Derived from the path alone, without a call to HDFS.
   */
  default Optional<Long> sourceOf(String path) {
    return Optional.empty();
  }

  /**
   * Calls back with the ids of all committed parity, of files and of groups, in no particular
   * order. Never holds more than one directory in memory.
   */
  void forEach(Consumer<Long> id) throws IOException;

  /** Works as {@link #forEach}, for groups only. */
  default void forEachGroup(Consumer<GroupId> group) throws IOException {
    forEach(
        id -> {
          if (GroupId.isGroup(id)) {
            group.accept(new GroupId(id));
          }
        });
  }

  /**
   * Records the phase of this committed parity in an extended attribute of the parity file (absent
   * = {@link ParityPhase#COMMITTED}).
   */
  void mark(long id, ParityPhase phase) throws IOException;

  /**
   * Gives committed parity the access rights that its source has now. Does nothing if there is no
   * such parity, or if the source is gone. If the members of a group no longer have the same
   * rights, only the daemon may read their parity. If a member is gone, the parity gets no new
   * readers.
   */
  void refreshAccess(long id) throws IOException;

  /** Refreshes the access rights of one parity file after another. */
  @FunctionalInterface
  interface AccessRefresh {
    /** Works as {@link ParityStore#refreshAccess}. */
    void of(long id) throws IOException;
  }

  /**
   * Begins a refresh of the access rights of many parity files. It may ask only once for what their
   * sources share, so it is to be used for seconds and not after a known change. Safe for
   * concurrent use.
   */
  default AccessRefresh accessRefresh() {
    return this::refreshAccess;
  }

  /**
   * Names the rule by which parity gets its access rights now. If it is not the one of the last
   * complete check, the rights of all parity are refreshed. Empty while it is not known.
   */
  default Optional<String> accessRule() {
    return Optional.empty();
  }

  /**
   * Returns a group key for each file. Files may share a group if their keys are equal: they are in
   * the same directory, have the same owner, group, mode and storage policy, and their ACLs let the
   * same users read them. A file that does not exist has no key. The request covers many files at
   * once because they share their directories.
   */
  Map<Long, String> groupKeys(Collection<Long> inodes) throws IOException;

  /**
   * Writes the group of a file into an extended attribute of the file, for readers that know only
   * the file. This is only a hint, because the owner of the file can remove or forge it. It counts
   * only if the manifest of the group names the file. Does nothing if the file is gone or can carry
   * no more attributes.
   */
  void hint(long inode, GroupId group) throws IOException;

  /** Returns the group that the hint on a file names. */
  Optional<GroupId> hintOf(long inode) throws IOException;

  /** Removes the hint if it names this group. */
  void unhint(long inode, GroupId group) throws IOException;

  /**
   * Records in an extended attribute of the parity file which members are to leave the group. The
   * group is encoded again without them.
   */
  void release(GroupId group, Collection<Long> members) throws IOException;

  /**
   * Records which blocks of committed parity are abandoned, together with the phase {@link
   * ParityPhase#UNRAIDING}. It replaces an earlier record. A later {@link #mark} ends it; the
   * quarantine keeps it.
   */
  void abandon(long id, AbandonedBlocks blocks) throws IOException;

  /** Starts a draft of parity with this id. An older draft with the same id is removed. */
  ParityDraft draft(long id) throws IOException;

  /**
   * Creates an empty directory and lends it to a user of the cluster. It is removed when the loan
   * ends, or by the next sweep of drafts after a crash.
   *
   * @throws UnsupportedOperationException if this cluster has no users
   */
  default DraftLoan workspace(String user) throws IOException {
    throw new UnsupportedOperationException("Only directories on HDFS are lent");
  }

  /**
   * Moves committed parity to quarantine, from where it can be restored until it is purged. A file
   * that has been raided several times can have several parity files in quarantine.
   *
   * @return false when there was none
   */
  default boolean quarantine(long id) throws IOException {
    Optional<ParityFile> parity = find(id);
    return parity.isPresent() && quarantine(parity.get());
  }

  /**
   * Moves exactly this committed parity file to quarantine and sets its modification time to now.
   * The time in quarantine is counted from there. Nobody but the daemon may read it from then on.
   *
   * @return false when it is not there any more, or another parity file has taken its place
   */
  boolean quarantine(ParityFile parity) throws IOException;

  /**
   * Calls back with every quarantined parity file. A file whose manifest cannot be read is skipped
   * and logged.
   */
  void forEachQuarantined(Consumer<ParityFile> parity) throws IOException;

  /**
   * Moves parity to quarantine that is believed to be in service.
   *
   * @throws IOException if it is not there any more, or other parity has taken its place: nothing
   *     may be concluded from it then
   */
  default void retire(ParityFile parity) throws IOException {
    if (!quarantine(parity)) {
      throw new IOException(
          "The parity file %s (inode id %d) is not in its place any more: something else moved or removed it. It is looked at anew"
              .formatted(parity.file().path(), parity.file().inode()));
    }
  }

  /**
   * Lets nobody but the daemon read what is in quarantine, where an earlier version, or a restore
   * that was interrupted, has left it readable. Returns the number of files that were.
   */
  default int hideQuarantined() throws IOException {
    return 0;
  }

  /** Returns all parity files in quarantine that had this id. */
  List<ParityFile> quarantined(long id) throws IOException;

  /**
   * Returns the id that parity in quarantine had before, and gets back when it is restored. Derived
   * from the path alone, without a call to HDFS.
   */
  long idOf(ParityFile quarantined);

  /**
   * Restores parity from quarantine, with the access rights that its source has now. Returns false
   * if it is gone or if other committed parity is in its place.
   */
  boolean restore(ParityFile quarantined) throws IOException;

  /**
   * Sets the time of parity in quarantine to now, as if it had just been moved there. Does nothing
   * if it is gone.
   */
  void stampAnew(ParityFile quarantined) throws IOException;

  /** Deletes parity from quarantine permanently. The caller has proven that nothing needs it. */
  void purge(ParityFile quarantined) throws IOException;

  /** Classifies a failure; empty if it is none of these obstacles. */
  default Optional<Obstacle> obstacle(IOException failure) {
    return Optional.empty();
  }

  /** Removes drafts that no running task owns and returns their number. */
  int sweepDrafts() throws IOException;

  /**
   * Removes our empty directories that have not changed since the given time, except those directly
   * below the root. Returns their number.
   */
  int sweepDirectories(Instant unchangedSince) throws IOException;

  /** Counts what is below the root now. */
  Footprint footprint() throws IOException;

  /**
   * Removes the directories directly below the root, so that only the owner file is left in it.
   *
   * @throws RefusedException if anything else is below the root; nothing is removed then
   */
  void removeDirectories() throws IOException;

  /**
   * Removes the root if the owner file is gone, too.
   *
   * @return false if the root is not empty
   */
  boolean removeRoot() throws IOException;
}
