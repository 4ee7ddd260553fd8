package io.hdfsraid.raidnode.request;

import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.raidapi.PlanView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A plan while it is made: sums over everything, a bounded list of items. */
final class Draft {
  private static final int MOST_ITEMS = 100;

  private final PlanView.Action action;
  private final String path;
  private final List<PlanView.Item> items = new ArrayList<>();
  private final Set<Long> files = new HashSet<>();
  private final Set<Long> refused = new HashSet<>();
  private boolean anyWanted;
  private long toRead;
  private long toWrite;
  private long freed;
  private String remark = "";

  Draft(PlanView.Action action, String path) {
    this.action = action;
    this.path = path;
  }

  void wanted(long inode, String file, String what, long bytesToRead, long bytesToWrite) {
    anyWanted = true;
    toRead += bytesToRead;
    toWrite += bytesToWrite;
    add(new PlanView.Item(inode, file, what, bytesToRead, bytesToWrite, Optional.empty()));
  }

  /** A stripe that is repaired. */
  void wanted(String file, PlanView.StripeRepair repair, RepairPlan plan) {
    anyWanted = true;
    toRead += plan.bytesToRead();
    toWrite += plan.bytesToWrite();
    add(
        new PlanView.Item(
            repair.stripe().inode(),
            file,
            plan.message(),
            plan.bytesToRead(),
            plan.bytesToWrite(),
            Optional.empty(),
            Optional.of(repair)));
  }

  /** Something to be said beside what comes of it. */
  void add(String more) {
    remark = remark.isEmpty() ? more : remark + " " + more;
  }

  void frees(long bytes) {
    freed += bytes;
  }

  void refused(long inode, String file, String why, String reason) {
    refused.add(inode);
    add(new PlanView.Item(inode, file, why, 0, 0, Optional.of(reason)));
  }

  private void add(PlanView.Item item) {
    files.add(item.inode());
    items.add(item);
  }

  boolean anyWanted() {
    return anyWanted;
  }

  boolean anyRefused() {
    return !refused.isEmpty();
  }

  PlanView as(PlanView.Outcome outcome, String note) {
    List<PlanView.Item> shown =
        items.stream()
            .sorted(Comparator.comparing(item -> item.refused().isEmpty()))
            .limit(MOST_ITEMS)
            .toList();
    return new PlanView(
        action,
        path,
        outcome,
        files.size(),
        refused.size(),
        toRead,
        toWrite,
        freed,
        shown,
        items.size() - shown.size(),
        note.isEmpty() || remark.isEmpty() ? note + remark : note + " " + remark);
  }
}
