package io.hdfsraid.raidnode.raid;

import io.hdfsraid.policies.FileFacts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** The files of a namespace. Listing them is no access to them. */
@FunctionalInterface
public interface Listing {

  /**
   * Calls back with every file below a directory, or with the one file at the path. A directory
   * that vanishes on the way is skipped.
   *
   * @return how many there were
   * @throws FileNotFoundException when there is nothing at {@code top}
   */
  long forEach(String top, Consumer<FileFacts> file) throws IOException;

  /**
   * The same file as it is now, without what snapshots keep of it; empty where something else is at
   * its path, or nothing.
   */
  default Optional<FileFacts> again(FileFacts file) throws IOException {
    return Optional.of(file); // where nothing changes
  }

  /**
   * The same file, with what snapshots keep of it. That takes a call for each snapshot above it, so
   * a listing of many files does not tell it.
   */
  default FileFacts withSnapshots(FileFacts file) throws IOException {
    return file; // where there are no snapshots
  }
}
