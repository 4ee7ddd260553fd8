package io.hdfsraid.raidnode.namespace;

import java.io.IOException;
import java.util.List;

/**
 * A namespace, listed directory by directory: the way of whoever may not have its image. Takes its
 * time, so what it tells is of no single moment.
 */
public interface DirectoryListing {
  /**
   * Tells of every directory, a parent before what is in it. One that vanishes on the way is left
   * out, with all below it.
   */
  void read(Visitor visitor) throws IOException;

  /**
   * Tells of these directories and what is in them, and of nothing below; not of those that are
   * gone.
   *
   * @param parentsFirst with all directories that they are in, each after the one it is in
   */
  void read(List<String> parentsFirst, Visitor visitor) throws IOException;

  /** Is told of one directory after the other. */
  @FunctionalInterface
  interface Visitor {
    /**
     * A directory and all that is in it.
     *
     * @param parent the directory it is in; of the root, itself
     */
    void directory(Inode.Directory directory, long parent, List<Inode> children);
  }
}
