package io.hdfsraid.drfs.parity;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The parity files of a cluster below the root ({@code /.raid}). A file is ours only when its
 * directory carries our ownership mark and our user owns it; nothing else is ever touched. Safe for
 * concurrent use.
 */
public interface ParityStore {

  /**
   * Makes the root usable, or says why it cannot be.
   *
   * @throws RefusedException when the root is not empty and not ours, inside an encryption zone or
   *     a snapshotted tree, or extended attributes are off or too small
   */
  void prepare() throws IOException;

  /** The committed parity of the file with this inode id, with its manifest. */
  Optional<ParityFile> find(long inode) throws IOException;

  /**
   * The inode id of the file whose committed parity is, or would be, at this path; empty for any
   * other path. Asks nobody.
   */
  default Optional<Long> sourceOf(String path) {
    return Optional.empty();
  }

  /**
   * Calls back with the inode id of every file that has committed parity, in no particular order;
   * never holds more than one directory in memory.
   */
  void forEach(Consumer<Long> inode) throws IOException;

  /**
   * Records how far the protection by this committed parity has come, in an extended attribute of
   * the parity file (absent = {@link ParityPhase#COMMITTED}).
   */
  void mark(long inode, ParityPhase phase) throws IOException;

  /** Gives committed parity the rights its source has now; nothing when there is none. */
  void refreshAccess(long inode) throws IOException;

  /** Starts parity for a file. An older draft of the same file is removed. */
  ParityDraft draft(long inode) throws IOException;

  /**
   * Moves committed parity to quarantine, from where it can be taken back until it is purged. A
   * file that is raided again and again can have several.
   *
   * @return false when there was none
   */
  default boolean quarantine(long inode) throws IOException {
    Optional<ParityFile> parity = find(inode);
    return parity.isPresent() && quarantine(parity.get());
  }

  /**
   * Moves just this committed parity to quarantine; its modification time is then the time of this
   * call, from which the quarantine is counted.
   *
   * @return false when it is not there any more, or another parity file has taken its place
   */
  boolean quarantine(ParityFile parity) throws IOException;

  /** Calls back with every quarantined parity file. */
  void forEachQuarantined(Consumer<ParityFile> parity) throws IOException;

  /**
   * Takes parity back from quarantine; false when it is gone or committed parity is in its place.
   */
  boolean restore(ParityFile quarantined) throws IOException;

  /** Deletes parity from quarantine for good. The caller has proven that nothing needs it. */
  void purge(ParityFile quarantined) throws IOException;

  /** Removes drafts that no live work owns; returns how many. */
  int sweepDrafts() throws IOException;
}
