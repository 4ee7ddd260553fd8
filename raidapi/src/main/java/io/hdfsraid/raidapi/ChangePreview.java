// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a requested change would do or, unless the request is a dry run, what it does.
 *
 * @param files number of files that the request covers, refused files included
 * @param refused number of these files that the request leaves alone
 * @param bytesToRead bytes to read from DataNodes
 * @param bytesToWrite bytes to write to DataNodes, all replicas
 * @param bytesFreed bytes freed on disks in the end; negative if the change needs space
 * @param items one item per file or stripe, bounded; those that are carried out first
 * @param itemsNotShown number of further items
 * @param refusedByReason number of refused items by the name of the reason, also of those that are
 *     not among {@code items}; the largest number first
 * @param note a remark for people, such as what comes next; may be empty
 * @param task id of the task that carries the change out; empty if there is none
 */
public record ChangePreview(
    Action action,
    String path,
    Outcome outcome,
    long files,
    long refused,
    long bytesToRead,
    long bytesToWrite,
    long bytesFreed,
    List<Item> items,
    long itemsNotShown,
    Map<String, Long> refusedByReason,
    String note,
    Optional<String> task) {

  /** The kind of change. */
  public enum Action {
    RAID,
    UNRAID,
    REPAIR,
    /** Reads or checks stripes. Only replicas that turn out to be bad are reported. */
    SCRUB,
    /** Drops requests for repairs, or stops repairs of stripes for a while. */
    CANCEL,
    /** Puts quarantined parity back into service. */
    RESTORE,
    /** Deletes quarantined parity. */
    PURGE,
    /** Unraids every file. */
    WITHDRAW,
    /** Lets a withdrawal end although blocks of files are lost for good. */
    ABANDON,
    /** Stops policies from raiding. */
    PAUSE,
    /** Lets policies raid again. */
    RESUME,
    /** Checks the health of raided files. Changes nothing. */
    FSCK,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /** How far the change went. */
  public enum Outcome {
    /** A dry run: nothing was changed. */
    PLANNED,
    /** The change would do nothing. */
    NOTHING_TO_DO,
    /** The change is queued as a task, which shows its progress. */
    ACCEPTED,
    /** The whole change was carried out. */
    DONE,
    /** A part of the change was carried out; the items name the rest. */
    PARTLY_DONE,
    /** Nothing was changed, because each part would endanger data or makes no sense. */
    REFUSED,
    /** More units are lost than can be rebuilt. */
    UNRECOVERABLE,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /**
   * One step of the change, for a file or a stripe.
   *
   * @param what the step in words: "encode 3 stripes with rs-10-4, then replication 3 -> 1"
   * @param refused name of the reason if the step is not carried out
   * @param repair for the repair of a stripe: which units are rebuilt, from where and where to
   */
  public record Item(
      long inode,
      String path,
      String what,
      long bytesToRead,
      long bytesToWrite,
      Optional<String> refused,
      Optional<StripeRepair> repair) {
    public Item {
      what = Absent.toEmpty(what);
      refused = Absent.toEmpty(refused);
      repair = Absent.toEmpty(repair);
    }

    /** A step that is not the repair of a stripe. */
    public Item(
        long inode,
        String path,
        String what,
        long bytesToRead,
        long bytesToWrite,
        Optional<String> refused) {
      this(inode, path, what, bytesToRead, bytesToWrite, refused, Optional.empty());
    }
  }

  /**
   * How a stripe would be repaired now.
   *
   * @param lost the lost units; a lost unit without a target is not rebuilt
   * @param sources the units that are read, and where
   * @param targets the units that are rebuilt, and where to
   */
  public record StripeRepair(
      StripeId stripe, List<Integer> lost, List<UnitPlace> sources, List<UnitPlace> targets) {
    public StripeRepair {
      lost = Absent.toEmpty(lost);
      sources = Absent.toEmpty(sources);
      targets = Absent.toEmpty(targets);
    }
  }

  /**
   * A unit and a DataNode.
   *
   * @param unit its position in the stripe, data first
   * @param node its transfer address
   */
  public record UnitPlace(int unit, String node) {
    @Override
    public String toString() {
      return unit + ":" + node;
    }
  }

  public ChangePreview {
    items = Absent.toEmpty(items);
    refusedByReason = Absent.toEmpty(refusedByReason);
    note = Absent.toEmpty(note);
    task = Absent.toEmpty(task);
  }

  /** A change that no task carries out. */
  public ChangePreview(
      Action action,
      String path,
      Outcome outcome,
      long files,
      long refused,
      long bytesToRead,
      long bytesToWrite,
      long bytesFreed,
      List<Item> items,
      long itemsNotShown,
      Map<String, Long> refusedByReason,
      String note) {
    this(
        action,
        path,
        outcome,
        files,
        refused,
        bytesToRead,
        bytesToWrite,
        bytesFreed,
        items,
        itemsNotShown,
        refusedByReason,
        note,
        Optional.empty());
  }

  /** A change of which nothing is refused, and that no task carries out. */
  public ChangePreview(
      Action action,
      String path,
      Outcome outcome,
      long files,
      long bytesToRead,
      long bytesToWrite,
      long bytesFreed,
      String note) {
    this(
        action,
        path,
        outcome,
        files,
        0,
        bytesToRead,
        bytesToWrite,
        bytesFreed,
        List.of(),
        0,
        Map.of(),
        note);
  }

  /** Returns the same preview with another outcome and note. */
  public ChangePreview as(Outcome changed, String changedNote) {
    return with(changed, changedNote, task);
  }

  /** Returns the same preview of a change that a task carries out. */
  public ChangePreview acceptedAs(String id) {
    return with(Outcome.ACCEPTED, note, Optional.of(id));
  }

  /** Returns the same preview without the id of a task: of one that the caller cannot look up. */
  public ChangePreview withoutTask() {
    return with(outcome, note, Optional.empty());
  }

  private ChangePreview with(Outcome newOutcome, String newNote, Optional<String> newTask) {
    return new ChangePreview(
        action,
        path,
        newOutcome,
        files,
        refused,
        bytesToRead,
        bytesToWrite,
        bytesFreed,
        items,
        itemsNotShown,
        refusedByReason,
        newNote,
        newTask);
  }
}
