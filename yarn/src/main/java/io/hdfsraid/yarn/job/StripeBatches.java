// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.yarn.task.StripeBatch;
import io.hdfsraid.yarn.work.Work;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Divides stripes among tasks: stripes whose bytes lie mostly in the same rack, and there on the
 * same node, go together.
 */
final class StripeBatches {
  /** YARN tries these in order, then their racks. */
  private static final int HOSTS = 3;

  private StripeBatches() {}

  private record Placed(Work stripe, String place) {}

  /**
   * @param bytesPerTask a batch is closed when it has as many source bytes
   */
  static List<StripeBatch> of(List<? extends Work> stripes, long bytesPerTask) {
    List<Work> sorted =
        stripes.stream()
            .map(stripe -> new Placed(stripe, place(stripe)))
            .sorted(Comparator.comparing(Placed::place))
            .map(Placed::stripe)
            .toList();
    List<StripeBatch> batches = new ArrayList<>();
    List<Work> batch = new ArrayList<>();
    long bytes = 0;
    for (Work stripe : sorted) {
      batch.add(stripe);
      bytes += stripe.bytes();
      if (bytes >= bytesPerTask) {
        batches.add(new StripeBatch(batch, hosts(batch)));
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      batches.add(new StripeBatch(batch, hosts(batch)));
    }
    return batches;
  }

  /** Returns the rack with most bytes of the stripe, and the host with most bytes in it. */
  private static String place(Work stripe) {
    String rack = most(List.of(stripe), DataNode::rack).get(0);
    return rack + " " + most(List.of(stripe), node -> inRack(node, rack)).get(0);
  }

  private static String inRack(DataNode node, String rack) {
    return node.rack().equals(rack) ? node.host() : "";
  }

  /** Returns the hosts in the rack with most bytes that hold most of them. */
  private static List<String> hosts(List<Work> batch) {
    String rack = most(batch, DataNode::rack).get(0);
    return most(batch, node -> inRack(node, rack)).stream()
        .filter(host -> !host.isEmpty())
        .limit(HOSTS)
        .toList();
  }

  /** Returns the places by the bytes that they hold, most first. The empty place does not count. */
  private static List<String> most(List<Work> batch, Function<DataNode, String> place) {
    Map<String, Long> bytes = new HashMap<>();
    for (Work stripe : batch) {
      for (Work.Held held : stripe.held()) {
        held.nodes().stream()
            .map(place)
            .filter(name -> !name.isEmpty())
            .distinct()
            .forEach(name -> bytes.merge(name, held.bytes(), Long::sum));
      }
    }
    List<String> places =
        bytes.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    return places.isEmpty() ? List.of("") : places;
  }
}
