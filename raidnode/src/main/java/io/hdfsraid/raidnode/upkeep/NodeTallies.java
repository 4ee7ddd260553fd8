// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The tally of each DataNode that a placement audit makes. */
public final class NodeTallies {
  /** Name of the note of the last complete audit. */
  private static final String NOTE = "node-tallies";

  private final Map<String, NodeTally> nodes = new HashMap<>();

  /**
   * What a DataNode holds of files under parity.
   *
   * @param dataBytes bytes of their data
   * @param asked when the presence scrub began of the file whose scrub is the longest ago, among
   *     the files with data or parity on the node. Of a file that was never scrubbed, the time at
   *     which its parity was first seen counts
   * @param read the same of the deep scrub
   */
  public record NodeTally(long dataBytes, Optional<Instant> asked, Optional<Instant> read) {
    /** The tally of a node without files under parity. */
    public static final NodeTally NOTHING = new NodeTally(0, Optional.empty(), Optional.empty());

    private NodeTally and(long bytes, Optional<ScrubRecord> scrubs) {
      return new NodeTally(
          dataBytes + bytes,
          earlier(asked, scrubs.map(known -> last(known, ScrubDepth.PRESENCE))),
          earlier(read, scrubs.map(known -> last(known, ScrubDepth.DEEP))));
    }

    private static Instant last(ScrubRecord scrubs, ScrubDepth depth) {
      return scrubs.at(depth).done().orElse(scrubs.since());
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
      return one.isPresent() && other.filter(at -> at.isBefore(one.get())).isEmpty() ? one : other;
    }
  }

  /** The note. */
  private record Kept(Map<String, NodeTally> nodes) {}

  /** Returns the tallies of the last complete audit, by uuids of nodes. */
  public static Map<String, NodeTally> last(Notes notes) {
    return notes.record(NOTE, Kept.class).map(Kept::nodes).orElse(Map.of());
  }

  /**
   * Adds one file or group.
   *
   * @param dataBytes bytes of its data, by node
   * @param parityBytes bytes of its parity, by node
   * @param scrubs when it was scrubbed; empty if no scrub knows it
   */
  void add(
      Map<DataNode, Long> dataBytes,
      Map<DataNode, Long> parityBytes,
      Optional<ScrubRecord> scrubs) {
    dataBytes.forEach((node, bytes) -> add(node, bytes, scrubs));
    parityBytes.keySet().forEach(node -> add(node, 0, scrubs));
  }

  private void add(DataNode node, long bytes, Optional<ScrubRecord> scrubs) {
    nodes.put(node.uuid(), nodes.getOrDefault(node.uuid(), NodeTally.NOTHING).and(bytes, scrubs));
  }

  void keep(Notes notes) {
    notes.record(NOTE, new Kept(nodes));
  }
}
