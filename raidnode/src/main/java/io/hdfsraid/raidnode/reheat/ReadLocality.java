// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.reheat;

import java.io.IOException;
import java.util.Collection;
import java.util.OptionalDouble;

/** Tells how far a file is from its readers. Safe for concurrent use. */
@FunctionalInterface
public interface ReadLocality {
  /**
   * Returns how many of these reads of the whole file go to another machine although a DataNode
   * runs on the reader's machine, judged by where the replicas are now. A file of which the
   * reader's node holds a part counts with the share of bytes that it lacks.
   *
   * @param readers IP addresses, one for each read
   * @return empty if the file no longer exists
   */
  OptionalDouble offNode(long inode, Collection<String> readers) throws IOException;
}
