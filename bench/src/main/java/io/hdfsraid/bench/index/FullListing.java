// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Lists a whole namespace, one directory at a time, as a system without an index must do. */
public final class FullListing {
  private static final int MAKERS = 4;

  private final FileSystem fileSystem;

  public FullListing(FileSystem fileSystem) {
    this.fileSystem = fileSystem;
  }

  /** Makes about as many empty files as asked for. */
  public long make(long files, LongConsumer progress) throws IOException, InterruptedException {
    HiveNamespace namespace = new HiveNamespace(files, 0);
    ExecutorService makers = Executors.newFixedThreadPool(MAKERS);
    try {
      List<Future<?>> made = new ArrayList<>();
      for (long leaf = 0; leaf < namespace.leaves(); leaf++) {
        long which = leaf;
        made.add(
            makers.submit(
                () -> {
                  for (int each = 0; each < HiveNamespace.FILES_IN_DIRECTORY; each++) {
                    fileSystem.create(new Path(namespace.filePath(which, each))).close();
                  }
                  return which;
                }));
      }
      long done = 0;
      for (Future<?> each : made) {
        each.get();
        done += HiveNamespace.FILES_IN_DIRECTORY;
        progress.accept(done);
      }
      return done;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      makers.shutdownNow();
    }
  }

  /** How many files there are. */
  public long count() throws IOException {
    long files = 0;
    Deque<Path> directories = new ArrayDeque<>(List.of(new Path("/")));
    while (!directories.isEmpty()) {
      for (FileStatus status : fileSystem.listStatus(directories.pop())) {
        if (status.isDirectory()) {
          directories.push(status.getPath());
        } else {
          files++;
        }
      }
    }
    return files;
  }
}
