package io.hdfsraid.raidnode.namespace;

import java.io.IOException;
import java.util.Map;

/** A namespace as it was at one moment, told in no order. */
public interface Image {
  /** How the names of marks begin that only parity carries: the parts of its manifest. */
  String MARK_OF_PARITY = "user.raid.manifest.";

  /** The last change that is in it; later ones are not. */
  long transaction();

  /** How many inodes it has, as far as it is known beforehand; 0 where it is not. */
  long inodes();

  /**
   * Tells all of it, once.
   *
   * @throws IOException with path and offset, when it is damaged or cut short; what was told by
   *     then must not be used
   */
  void read(Visitor visitor) throws IOException;

  /**
   * Is told of inodes and of their places. Either may come first. What only snapshots hold has no
   * place, or is below something that has none.
   */
  interface Visitor {
    /** There is this inode. */
    void inode(Inode inode);

    /**
     * There is this file, and it carries extended attributes of ours: it is parity, or a member of
     * a group.
     *
     * @param marks names, which begin with {@code user.raid.}, and values
     */
    default void inode(Inode.File file, Map<String, byte[]> marks) {
      inode(file);
    }

    /** It is in this directory. The root is in none. */
    void place(long child, long parent);
  }
}
