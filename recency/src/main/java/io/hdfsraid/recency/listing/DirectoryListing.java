// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.listing;

import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.util.List;

/**
 * Lists a namespace directory by directory, for users who may not read the image. A listing takes
 * long, so it does not show the namespace at a single moment.
 */
public interface DirectoryListing {
  /**
   * Lists every directory, parents first. A directory that vanishes meanwhile is left out with all
   * below it.
   */
  void read(Visitor visitor) throws IOException;

  /**
   * Lists these directories without their subdirectories. Directories that do not exist are left
   * out.
   *
   * @param parentsFirst the directories with all their parents, each after its parent
   */
  void read(List<String> parentsFirst, Visitor visitor) throws IOException;

  /** Receives one directory after the other. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Receives a directory and all its entries.
     *
     * @param parent the parent directory; the root itself for the root
     */
    void directory(Inode.Directory directory, long parent, List<Inode> children);
  }
}
