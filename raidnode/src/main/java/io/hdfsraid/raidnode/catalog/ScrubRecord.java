// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The times of the last scrubs of a parity file.
 *
 * @param id of the parity: the inode id of a file, or a group
 * @param parityInode inode id of the parity file; -1 until the first scrub
 * @param since when the parity was first found, or was reset to be scrubbed as if it were new
 * @param bytes of all units with the replicas that the last scrub found; 0 if unknown
 */
public record ScrubRecord(
    long id, long parityInode, Instant since, long bytes, Progress presence, Progress deep) {

  /**
   * How far scrubbing at one depth has come.
   *
   * @param done when the last scrub began that saw enough of all stripes to judge them; empty if
   *     there was none
   * @param began when the current scrub began; empty if there is none
   * @param next the stripe at which the current scrub continues
   * @param gaps the stripes of which the current scrub learned nothing about some unit, in order;
   *     no more than one above {@link #MOST_GAPS}
   * @param only the stripes that the current scrub looks at, in order, because it met gaps in them
   *     and has seen all others; empty if it looks at all
   * @param retryAt when a scrub that met gaps goes on
   */
  public record Progress(
      Optional<Instant> done,
      Optional<Instant> began,
      int next,
      List<Integer> gaps,
      List<Integer> only,
      Optional<Instant> retryAt) {
    /** A scrub that meets gaps in more stripes begins again with the first stripe. */
    public static final int MOST_GAPS = 100;

    /** Never scrubbed. */
    public static final Progress NONE = waiting(Optional.empty(), Optional.empty());

    public Progress {
      done = done.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
      began = began.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
      retryAt = retryAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
      gaps = List.copyOf(gaps);
      only = List.copyOf(only);
    }

    /** Returns the progress of which no scrub is under way. */
    static Progress waiting(Optional<Instant> done, Optional<Instant> retryAt) {
      return new Progress(done, Optional.empty(), 0, List.of(), List.of(), retryAt);
    }

    /** Returns whether the current scrub has to look at this stripe. */
    public boolean wants(int stripe) {
      return stripe >= next && (only.isEmpty() || only.contains(stripe));
    }

    /** A look has passed this stripe; the first of its steps sets when it began. */
    public Progress past(int stripe, boolean metGaps, Instant now) {
      List<Integer> met = new ArrayList<>(gaps);
      if (metGaps && met.size() <= MOST_GAPS) {
        met.add(stripe);
      }
      return new Progress(
          done, Optional.of(began.orElse(now)), stripe + 1, met, only, Optional.empty());
    }

    /**
     * Ends a look at all stripes that were wanted. If it met gaps, the scrub goes on with these
     * stripes alone. Otherwise a file that is read for days might never be done, because every time
     * some DataNode does not answer.
     */
    public Progress finish(Instant now, Instant retry) {
      if (gaps.isEmpty()) {
        return waiting(Optional.of(began.orElse(now)), Optional.empty());
      }
      return gaps.size() > MOST_GAPS
          ? postpone(retry)
          : new Progress(done, began, 0, List.of(), gaps, Optional.of(retry));
    }

    /** Gives the current scrub up. The next one begins with the first stripe. */
    public Progress postpone(Instant retry) {
      return waiting(done, Optional.of(retry));
    }
  }

  public ScrubRecord {
    since = since.truncatedTo(ChronoUnit.MILLIS);
    Objects.requireNonNull(presence, "presence");
    Objects.requireNonNull(deep, "deep");
  }

  /** Parity that is met for the first time. */
  public static ScrubRecord discovered(long id, Instant now) {
    return new ScrubRecord(id, -1, now, 0, Progress.NONE, Progress.NONE);
  }

  public Progress at(ScrubDepth depth) {
    return switch (depth) {
      case PRESENCE -> presence;
      case DEEP -> deep;
    };
  }

  public ScrubRecord with(ScrubDepth depth, Progress progress) {
    return switch (depth) {
      case PRESENCE -> new ScrubRecord(id, parityInode, since, bytes, progress, deep);
      case DEEP -> new ScrubRecord(id, parityInode, since, bytes, presence, progress);
    };
  }

  /** Returns the record as if the parity were new now and had never been scrubbed at this depth. */
  public ScrubRecord anew(ScrubDepth depth, Instant now) {
    return new ScrubRecord(id, parityInode, now, bytes, presence, deep).with(depth, Progress.NONE);
  }

  /** As the parity file was just seen; of another one than before nothing is known. */
  public ScrubRecord seen(long inode, long bytesNow, Instant raided) {
    return inode == parityInode
        ? new ScrubRecord(id, inode, since, bytesNow, presence, deep)
        : new ScrubRecord(id, inode, raided, bytesNow, Progress.NONE, Progress.NONE);
  }
}
