package io.hdfsraid.drfs.parity;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The parity files of a cluster below the root ({@code /.raid}). A file is ours only when its
 * directory carries our ownership mark and our user owns it; nothing else is ever touched. Safe for
 * concurrent use.
 *
 * <p>Parity is known by a number, its <i>id</i>: the inode id of the file it protects, or that of a
 * group ({@link GroupId}).
 */
public interface ParityStore {

  /**
   * Makes the root usable, or says why it cannot be.
   *
   * @throws RefusedException when the root is not empty and not ours, inside an encryption zone or
   *     a snapshotted tree, or extended attributes are off or too small
   */
  void prepare() throws IOException;

  /** The committed parity with this id, with its manifest. */
  Optional<ParityFile> find(long id) throws IOException;

  /**
   * The id of the committed parity that is, or would be, at this path; empty for any other path.
   * Asks nobody.
   */
  default Optional<Long> sourceOf(String path) {
    return Optional.empty();
  }

  /**
   * Calls back with the id of all committed parity, of files and of groups, in no particular order;
   * never holds more than one directory in memory.
   */
  void forEach(Consumer<Long> id) throws IOException;

  /** As {@link #forEach}, for groups only. */
  default void forEachGroup(Consumer<GroupId> group) throws IOException {
    forEach(
        id -> {
          if (GroupId.isGroup(id)) {
            group.accept(new GroupId(id));
          }
        });
  }

  /**
   * Records how far the protection by this committed parity has come, in an extended attribute of
   * the parity file (absent = {@link ParityPhase#COMMITTED}).
   */
  void mark(long id, ParityPhase phase) throws IOException;

  /**
   * Gives committed parity the rights its source has now; nothing when there is none. Parity of a
   * group whose members do not have the same rights any more is readable by nobody but the daemon.
   */
  void refreshAccess(long id) throws IOException;

  /**
   * Which files may share a group: equal words for files in the same directory with the same owner,
   * group, mode and storage policy, which the same users may read by their ACLs. A file that is not
   * there has none. Asked for many files at once, for they have their directories in common.
   */
  Map<Long, String> kinship(Collection<Long> inodes) throws IOException;

  /**
   * Writes on a file which group it belongs to, for readers that know the file and not the group.
   * Only a hint: its owner can remove or forge it, so it counts as far as the manifest of the group
   * says the same. Nothing when the file is gone, or can carry no more attributes.
   */
  void hint(long inode, GroupId group) throws IOException;

  /** The group that a file says it belongs to, which is only a hint. */
  Optional<GroupId> hintOf(long inode) throws IOException;

  /** Removes the hint if it is to this group. */
  void unhint(long inode, GroupId group) throws IOException;

  /**
   * Records which members of a group are to leave it, in an extended attribute of the parity file:
   * when it is encoded again it is without them.
   */
  void release(GroupId group, Collection<Long> members) throws IOException;

  /** Starts parity with this id. An older draft of the same id is removed. */
  ParityDraft draft(long id) throws IOException;

  /**
   * Moves committed parity to quarantine, from where it can be taken back until it is purged. A
   * file that is raided again and again can have several.
   *
   * @return false when there was none
   */
  default boolean quarantine(long id) throws IOException {
    Optional<ParityFile> parity = find(id);
    return parity.isPresent() && quarantine(parity.get());
  }

  /**
   * Moves just this committed parity to quarantine; its modification time is then the time of this
   * call, from which the quarantine is counted.
   *
   * @return false when it is not there any more, or another parity file has taken its place
   */
  boolean quarantine(ParityFile parity) throws IOException;

  /**
   * Calls back with every quarantined parity file; one whose manifest cannot be read is left where
   * it is, and said in the log.
   */
  void forEachQuarantined(Consumer<ParityFile> parity) throws IOException;

  /** Everything in quarantine that had this id. */
  List<ParityFile> quarantined(long id) throws IOException;

  /** The id that parity in quarantine had, and gets back when it is restored. Asks nobody. */
  long idOf(ParityFile quarantined);

  /**
   * Takes parity back from quarantine; false when it is gone or committed parity is in its place.
   */
  boolean restore(ParityFile quarantined) throws IOException;

  /** Deletes parity from quarantine for good. The caller has proven that nothing needs it. */
  void purge(ParityFile quarantined) throws IOException;

  /** Why HDFS refused a change, where the failure says that it is one of these. */
  default Optional<Obstacle> obstacle(IOException failure) {
    return Optional.empty();
  }

  /** Removes drafts that no live work owns; returns how many. */
  int sweepDrafts() throws IOException;

  /**
   * Removes empty directories of ours, other than the ones right below the root, to which nothing
   * has happened since then; returns how many.
   */
  int sweepDirectories(Instant unchangedSince) throws IOException;

  /** What lies below the root now. */
  Traces traces() throws IOException;

  /**
   * Removes the directories right below the root, so that nothing but the owner file is left in it.
   *
   * @throws RefusedException when anything else lies below the root: nothing is removed then
   */
  void removeDirectories() throws IOException;

  /**
   * Removes the root, when the owner file is gone, too.
   *
   * @return false when something is in it
   */
  boolean removeRoot() throws IOException;
}
