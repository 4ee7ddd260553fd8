package io.hdfsraid.raidnode.reheat;

import java.io.IOException;
import java.util.Collection;
import java.util.OptionalDouble;

/** Tells how far a file is from its readers. Safe for concurrent use. */
@FunctionalInterface
public interface ReadLocality {
  /**
   * How many of these reads, each of the whole file, go to another machine although a DataNode runs
   * on the reader's, by where the replicas are now. Of a file that is there in part, the share of
   * bytes that are not.
   *
   * @param readers IP addresses, one for each read
   * @return empty where there is no such file any more
   */
  OptionalDouble offNode(long inode, Collection<String> readers) throws IOException;
}
