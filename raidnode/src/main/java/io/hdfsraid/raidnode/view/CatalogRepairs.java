package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.RepairView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.rest.RepairsView;
import java.util.List;
import java.util.Optional;

/** The repair ledger of the catalog. */
public final class CatalogRepairs implements RepairsView {
  private final Catalog catalog;

  public CatalogRepairs(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Page<RepairView> list(Paging paging) {
    // One more than asked for tells whether there is more.
    List<RepairRecord> found =
        catalog.repairs().list(paging.cursor().map(CatalogRepairs::stripe), paging.limit() + 1);
    List<RepairRecord> shown = found.subList(0, Math.min(found.size(), paging.limit()));
    Optional<String> next =
        found.size() > paging.limit()
            ? Optional.of(cursor(shown.get(shown.size() - 1).stripe()))
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
        RepairView.State.valueOf(repair.status().name()),
        repair.detectedBy(),
        repair.since(),
        repair.attempts(),
        repair.reason(),
        repair.wakeAt(),
        repair.bytesRead());
  }

  private static String cursor(StripeKey stripe) {
    return stripe.parityInode() + "-" + stripe.index();
  }

  private static StripeKey stripe(String cursor) {
    int dash = cursor.indexOf('-');
    try {
      return new StripeKey(
          Long.parseLong(cursor.substring(0, Math.max(0, dash))),
          Integer.parseInt(cursor.substring(dash + 1)));
    } catch (NumberFormatException e) {
      throw Cursors.notOne(cursor);
    }
  }
}
