package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.RepairView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.catalog.Urgency;
import io.hdfsraid.raidnode.rest.RepairsView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The repair ledger of the catalog, the most urgent first. */
public final class CatalogRepairs implements RepairsView {
  private final Catalog catalog;

  public CatalogRepairs(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Page<RepairView> list(Paging paging) {
    // One more than asked for tells whether there is more.
    List<RepairRecord> found =
        catalog
            .repairs()
            .mostUrgent(paging.cursor().map(CatalogRepairs::place), paging.limit() + 1);
    List<RepairRecord> shown = found.subList(0, Math.min(found.size(), paging.limit()));
    Optional<String> next =
        found.size() > paging.limit()
            ? Optional.of(cursor(Urgency.of(shown.get(shown.size() - 1))))
            : Optional.empty();
    return new Page<>(shown.stream().map(CatalogRepairs::view).toList(), next);
  }

  private static RepairView view(RepairRecord repair) {
    return new RepairView(
        repair.inode(),
        repair.path(),
        repair.stripe().index(),
        repair.codec(),
        repair.lost().stream().boxed().toList(),
        repair.furtherLosses(),
        RepairView.State.valueOf(repair.standing().name()),
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
