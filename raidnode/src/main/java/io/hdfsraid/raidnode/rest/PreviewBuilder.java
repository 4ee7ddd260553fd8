// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.raidapi.ChangePreview;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds the preview of a change: sums over all items, and a bounded list of items. */
public final class PreviewBuilder {
  private static final int MOST_ITEMS = 100;

  private final ChangePreview.Action action;
  private final String path;
  private final List<ChangePreview.Item> items = new ArrayList<>();
  private final Set<Long> files = new HashSet<>();
  private final Set<Long> refused = new HashSet<>();
  private boolean anyWanted;
  private long toRead;
  private long toWrite;
  private long freed;
  private String remark = "";

  public PreviewBuilder(ChangePreview.Action action, String path) {
    this.action = action;
    this.path = path;
  }

  public void wanted(long inode, String file, String what, long bytesToRead, long bytesToWrite) {
    anyWanted = true;
    toRead += bytesToRead;
    toWrite += bytesToWrite;
    add(new ChangePreview.Item(inode, file, what, bytesToRead, bytesToWrite, Optional.empty()));
  }

  /** Adds a stripe that is repaired. */
  public void wanted(String file, ChangePreview.StripeRepair repair, RepairPlan plan) {
    anyWanted = true;
    toRead += plan.bytesToRead();
    toWrite += plan.bytesToWrite();
    add(
        new ChangePreview.Item(
            repair.stripe().inode(),
            file,
            plan.message(),
            plan.bytesToRead(),
            plan.bytesToWrite(),
            Optional.empty(),
            Optional.of(repair)));
  }

  /** Adds a remark that is shown with the outcome. */
  public void add(String more) {
    remark = remark.isEmpty() ? more : remark + " " + more;
  }

  public void frees(long bytes) {
    freed += bytes;
  }

  public void refused(long inode, String file, String why, String reason) {
    refused.add(inode);
    add(new ChangePreview.Item(inode, file, why, 0, 0, Optional.of(reason)));
  }

  private void add(ChangePreview.Item item) {
    files.add(item.inode());
    items.add(item);
  }

  public boolean anyWanted() {
    return anyWanted;
  }

  public boolean anyRefused() {
    return !refused.isEmpty();
  }

  private Map<String, Long> refusedByReason() {
    Map<String, Long> byReason = new HashMap<>();
    items.forEach(
        item -> item.refused().ifPresent(reason -> byReason.merge(reason, 1L, Long::sum)));
    Map<String, Long> largestFirst = new LinkedHashMap<>();
    byReason.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(entry -> largestFirst.put(entry.getKey(), entry.getValue()));
    return largestFirst;
  }

  public ChangePreview as(ChangePreview.Outcome outcome, String note) {
    List<ChangePreview.Item> shown =
        items.stream()
            .sorted(Comparator.comparing(item -> item.refused().isPresent()))
            .limit(MOST_ITEMS)
            .toList();
    return new ChangePreview(
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
        refusedByReason(),
        note.isEmpty() || remark.isEmpty() ? note + remark : note + " " + remark);
  }
}
