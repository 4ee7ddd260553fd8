// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The text that {@code fsck -blockId} answers, as {@code NamenodeFsck.blockIdCK} writes it. It
 * holds paths, which users choose, and a path may hold line breaks. So the text is read as a fixed
 * sequence of lines, one group for each block that was asked for, in order. Whatever a path adds to
 * it makes a line that is not expected there, and the whole text is rejected.
 */
final class FsckAnswer {
  private static final List<String> OTHER_COUNTS =
      List.of(
          "No. of decommissioned Replica: ",
          "No. of decommissioning Replica: ",
          "No. of entering maintenance Replica: ",
          "No. of in maintenance Replica: ",
          "No. of corrupted Replica: ",
          "No. of redundant Replica: ");

  private final List<String> lines;
  private int at;

  /**
   * @param text everything that fsck wrote
   */
  FsckAnswer(String text) {
    this.lines = text.lines().filter(line -> !line.isBlank()).toList();
  }

  /**
   * Returns who holds the blocks; a block that is in no file and no snapshot is left out.
   *
   * @param asked the blocks in the order in which they were asked for
   * @throws IOException if the text is not exactly the answer to that
   */
  Map<Long, BlockHolders.Holder> holders(List<Long> asked) throws IOException {
    Map<Long, BlockHolders.Holder> holders = new HashMap<>();
    boolean header = skip("FSCK started by ");
    for (long id : asked) {
      if (!skipLine("Block blk_%d does not exist".formatted(id))) {
        holders.put(id, holder(id));
      }
    }
    if (!header || at < lines.size()) {
      throw unclear();
    }
    return holders;
  }

  private BlockHolders.Holder holder(long id) throws IOException {
    if (!skipLine("Block Id: blk_" + id)) {
      throw unclear();
    }
    String path = value("Block belongs to: ");
    int expected = count("No. of Expected Replica: ");
    int live = count("No. of live Replica: ");
    int unusedExcess = count("No. of excess Replica: ");
    int stale = count("No. of stale Replica: ");
    for (String other : OTHER_COUNTS) {
      boolean unused = skip(other); // versions differ in these
    }
    while (skip("Block replica on datanode/rack: ")) {
      // one line for each replica
    }
    // A NameNode that took over lists replicas whose deletion the other one has ordered.
    return new BlockHolders.Holder(path, expected, Math.max(0, live - stale), stale);
  }

  private boolean skipLine(String line) {
    boolean there = at < lines.size() && lines.get(at).equals(line);
    at += there ? 1 : 0;
    return there;
  }

  private boolean skip(String prefix) {
    boolean there = at < lines.size() && lines.get(at).startsWith(prefix);
    at += there ? 1 : 0;
    return there;
  }

  private String value(String prefix) throws IOException {
    if (!skip(prefix)) {
      throw unclear();
    }
    return lines.get(at - 1).substring(prefix.length());
  }

  private int count(String prefix) throws IOException {
    try {
      return Integer.parseUnsignedInt(value(prefix));
    } catch (NumberFormatException e) {
      throw unclear();
    }
  }

  private IOException unclear() {
    return new IOException(
        "The NameNode's fsck gave no clear answer; line %d is not what was expected: %s"
            .formatted(at + 1, String.join("\n", lines)));
  }
}
