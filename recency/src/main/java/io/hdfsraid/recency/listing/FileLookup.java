// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.listing;

import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.util.Optional;

/** Asks HDFS for single files. A look-up does not count as an access. */
public interface FileLookup {
  /** Returns the file with an inode id, which has no name then; empty if there is none. */
  Optional<Inode.File> find(long inode) throws IOException;

  /** Returns the file at a path; empty if there is none. */
  Optional<Inode.File> find(String path) throws IOException;
}
