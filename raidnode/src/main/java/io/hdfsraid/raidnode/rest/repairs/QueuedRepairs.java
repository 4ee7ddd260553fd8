// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.catalog.Urgency;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.Cursors;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Lists the repair ledger of the catalog, most urgent first. */
public class QueuedRepairs {
  private final Catalog catalog;

  public QueuedRepairs(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Returns a page of repairs.
   *
   * @throws ApiFailure if the cursor is invalid
   */
  public Page<QueuedRepair> list(Paging paging) {
    // One more repair than requested shows whether there is another page.
    List<RepairState> found =
        catalog.repairs().mostUrgent(paging.cursor().map(QueuedRepairs::place), paging.limit() + 1);
    List<RepairState> shown = found.subList(0, Math.min(found.size(), paging.limit()));
    Optional<String> next =
        found.size() > paging.limit()
            ? Optional.of(cursor(Urgency.of(shown.get(shown.size() - 1))))
            : Optional.empty();
    return new Page<>(shown.stream().map(QueuedRepairs::view).toList(), next);
  }

  private static QueuedRepair view(RepairState repair) {
    return new QueuedRepair(
        repair.inode(),
        repair.path(),
        repair.stripe().index(),
        repair.codec(),
        repair.lost().stream().boxed().toList(),
        repair.furtherLosses(),
        QueuedRepair.State.valueOf(repair.shownStatus().name()),
        repair.detectedBy(),
        repair.since(),
        repair.attempts(),
        repair.reason(),
        repair.wakeAt(),
        repair.bytesRead());
  }

  private static String cursor(Urgency place) {
    return "%d.%d.%d.%d"
        .formatted(
            place.furtherLosses(),
            place.since().toEpochMilli(),
            place.stripe().parityInode(),
            place.stripe().index());
  }

  private static Urgency place(String cursor) {
    String[] parts = cursor.split("\\.", -1);
    if (parts.length != 4) {
      throw Cursors.notOne(cursor);
    }
    try {
      return new Urgency(
          Integer.parseInt(parts[0]),
          Instant.ofEpochMilli(Long.parseLong(parts[1])),
          new StripeKey(Long.parseLong(parts[2]), Integer.parseInt(parts[3])));
    } catch (NumberFormatException e) {
      throw Cursors.notOne(cursor);
    }
  }
}
