// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidapi.status.TransferredBytes;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferTotals;
import io.hdfsraid.raidnode.traffic.TransferTotals.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports the bytes that the daemon has transferred. */
public final class TransferSummary {
  private final TransferTotals transfers;

  public TransferSummary(TransferTotals transfers) {
    this.transfers = transfers;
  }

  /** Returns one record for each purpose and direction. */
  List<TransferredBytes> all() {
    List<TransferredBytes> views = new ArrayList<>();
    List<Total> totals = transfers.totals();
    for (Purpose purpose : Purpose.values()) {
      for (Direction direction : Direction.values()) {
        Map<Distance, Long> bytes =
            totals.stream()
                .filter(total -> total.purpose() == purpose && total.direction() == direction)
                .collect(Collectors.toMap(Total::distance, Total::bytes));
        if (!bytes.isEmpty()) {
          views.add(
              new TransferredBytes(
                  purpose.name().toLowerCase(Locale.ROOT),
                  direction.name().toLowerCase(Locale.ROOT),
                  bytes.getOrDefault(Distance.SAME_NODE, 0L),
                  bytes.getOrDefault(Distance.SAME_RACK, 0L),
                  bytes.getOrDefault(Distance.OFF_RACK, 0L),
                  bytes.getOrDefault(Distance.RACK_UNKNOWN, 0L)));
        }
      }
    }
    return views;
  }
}
