// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.listing;

import io.hdfsraid.policies.FileFacts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Lists the files of a namespace. A listing does not count as an access. */
@FunctionalInterface
public interface FileListing {

  /**
   * Visits every file below a directory, or the one file at the path. A directory that vanishes
   * meanwhile is left out.
   *
   * @return the number of files
   * @throws FileNotFoundException if nothing exists at {@code top}
   */
  long forEach(String top, Consumer<FileFacts> file) throws IOException;

  /**
   * Returns the same file as it is now, without the replicas that snapshots keep. Empty if the path
   * has another file or none.
   */
  default Optional<FileFacts> again(FileFacts file) throws IOException {
    return Optional.of(file); // where nothing changes
  }

  /**
   * Returns the same file with the replicas that snapshots keep. That takes a call for each
   * snapshot above the file, so a listing of many files does not contain it.
   */
  default FileFacts withSnapshots(FileFacts file) throws IOException {
    return file; // where there are no snapshots
  }
}
