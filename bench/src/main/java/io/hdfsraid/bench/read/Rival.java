// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.table.TableFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Files that are stored in one way, and the client that reads them.
 *
 * @param name the codec, the policy or {@code plain}
 * @param lost files that have lost blocks; none if the files are only read healthy
 * @param tables that have lost blocks, unless the files are only read healthy
 */
record Rival(
    String name,
    ReadClient client,
    ReadFile healthy,
    List<ReadFile> lost,
    Map<TableFormat, ReadFile> tables) {
  private static final int WARMING = 4096;

  Rival {
    lost = List.copyOf(lost);
    tables = Map.copyOf(tables);
  }

  /** Returns a file system of a client that has read something, but nothing lost. */
  FileSystem warm(Random random) throws IOException {
    FileSystem fs = client.connect();
    try (FSDataInputStream in = fs.open(healthy.path())) {
      in.readFully(healthy.anywhere(random, WARMING), new byte[WARMING]);
    }
    return fs;
  }

  /** Returns them in an order in which each comes first in its turn. */
  static List<Rival> turn(List<Rival> rivals, int turn) {
    List<Rival> order = new ArrayList<>(rivals);
    Collections.rotate(order, -turn);
    return order;
  }
}
