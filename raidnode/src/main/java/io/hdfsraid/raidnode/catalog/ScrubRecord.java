package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
   * @param gaps whether the current scrub has met units about which it learned nothing
   * @param retryAt when a scrub that met gaps is repeated
   */
  public record Progress(
      Optional<Instant> done,
      Optional<Instant> began,
      int next,
      boolean gaps,
      Optional<Instant> retryAt) {
    /** Never scrubbed. */
    public static final Progress NONE =
        new Progress(Optional.empty(), Optional.empty(), 0, false, Optional.empty());

    public Progress {
      done = done.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
      began = began.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
      retryAt = retryAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
    }

    /** A look has come to this stripe; the first of its steps sets when it began. */
    public Progress upTo(int stripe, boolean metGaps, Instant now) {
      return new Progress(
          done, Optional.of(began.orElse(now)), stripe, gaps || metGaps, Optional.empty());
    }

    /** Ends a scrub of all stripes. */
    public Progress finish(Instant now, Instant retry) {
      return gaps
          ? new Progress(done, Optional.empty(), 0, false, Optional.of(retry))
          : new Progress(
              Optional.of(began.orElse(now)), Optional.empty(), 0, false, Optional.empty());
    }

    /** Gives the current scrub up. The next one begins with the first stripe. */
    public Progress postpone(Instant retry) {
      return new Progress(done, Optional.empty(), 0, false, Optional.of(retry));
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
