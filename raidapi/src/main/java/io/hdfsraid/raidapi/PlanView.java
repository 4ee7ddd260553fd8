package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.util.List;
import java.util.Optional;

/**
 * What a request would do, or did.
 *
 * @param files how many files it covers, refused ones included
 * @param refused how many of them it leaves alone
 * @param bytesToRead from DataNodes
 * @param bytesToWrite to DataNodes, all replicas
 * @param bytesFreed on disks in the end; negative when it needs space
 * @param items per file or stripe, bounded; those refused first
 * @param itemsNotShown how many more there are
 * @param note for people: what is special, what comes next; may be empty
 */
public record PlanView(
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
    String note) {

  /** What was asked for. */
  public enum Action {
    RAID,
    UNRAID,
    REPAIR,
    /** Stripes looked at; nothing is changed but what turns out to be bad. */
    SCRUB,
    /** Requests for repairs dropped, or repairs of stripes cut off and left for a while. */
    CANCEL,
    /** Quarantined parity back into service. */
    RESTORE,
    /** Quarantined parity deleted. */
    PURGE,
    /** Every file let go. */
    WITHDRAW,
    /** Policies raid nothing. */
    PAUSE,
    /** Policies raid again. */
    RESUME,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /** How far it went. */
  public enum Outcome {
    /** A dry run: nothing was changed. */
    PLANNED,
    /** There is nothing to do. */
    NOTHING_TO_DO,
    /** In the queue: {@code files}, {@code repairs} and {@code history} show how it goes on. */
    ACCEPTED,
    /** All of it was carried out. */
    DONE,
    /** Some of it was; the items say what was not. */
    PARTLY_DONE,
    /** None of it, because each part would endanger data or is not sensible. */
    REFUSED,
    /** More is lost than can be rebuilt. */
    UNRECOVERABLE,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /**
   * One step.
   *
   * @param what in words: "encode 3 stripes with rs-10-4, then replication 3 -> 1"
   * @param refused the name of the reason when it is left alone
   * @param repair of a plan of repair: what is rebuilt of which stripe, from where and whereto
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

    /** One that is no repair of a stripe. */
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
   * @param lost units that are lost; those without a target are left
   * @param sources units that are read, and where
   * @param targets units that are rebuilt, and where to
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

  public PlanView {
    items = Absent.toEmpty(items);
    note = Absent.toEmpty(note);
  }

  /** The same, when it has come so far. */
  public PlanView as(Outcome changed, String changedNote) {
    return new PlanView(
        action,
        path,
        changed,
        files,
        refused,
        bytesToRead,
        bytesToWrite,
        bytesFreed,
        items,
        itemsNotShown,
        changedNote);
  }
}
