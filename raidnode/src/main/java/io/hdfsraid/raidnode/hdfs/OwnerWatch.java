// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.ObserverNameNodes;
import io.hdfsraid.raidnode.process.OwnerProcess;
import io.hdfsraid.recency.hdfs.ImpatientClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * Watches the owner file for a daemon that stands by, and ends the lease of a holder that gives no
 * sign of life any more. What counts is how long a sign did not change for this process, so the
 * clocks of the machines may differ. Silence counts only while the NameNode answers: while it does
 * not, nobody can give a sign. Not safe for concurrent use, but for {@link #seen}.
 */
public final class OwnerWatch implements Closeable {
  /** Between two looks without an answer the holder may have been without one, too. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  /** How often a holder is tried that gives no signs: it may be an older one, or a command. */
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

  private final DistributedFileSystem fs;
  private final String root;
  private final Duration patience;
  private final LongSupplier nanos;
  private Optional<OwnerSight> known = Optional.empty();
  private long changedAt;
  private long answeredAt;
  private long triedAt;
  private volatile Optional<OwnerSight> seen = Optional.empty();

  /** Whether this process may become the writer. */
  public enum State {
    /** Nobody holds the file. */
    FREE,
    /** The holder is alive, or has not been silent for long enough. */
    HELD,
    /** The holder has given no sign of life for the whole patience. */
    SILENT,
    /** The file was there and is gone: the root was removed, so that nothing is raided any more. */
    GONE
  }

  /**
   * @param fs closed with the watch
   * @param patience how long a holder may give no sign of life
   */
  public OwnerWatch(DistributedFileSystem fs, String root, Duration patience, LongSupplier nanos) {
    this.fs = fs;
    this.root = root;
    this.patience = patience;
    this.nanos = nanos;
    this.triedAt = nanos.getAsLong() - BETWEEN_TRIES.toNanos();
  }

  /** Watches the HDFS that the configuration files on the class path name. */
  public static OwnerWatch configured(String root, Duration patience) throws IOException {
    Configuration conf = new HdfsConfiguration();
    return of(FileSystem.getDefaultUri(conf), conf, root, patience);
  }

  /** Opens connections of its own. */
  public static OwnerWatch of(URI hdfs, Configuration conf, String root, Duration patience)
      throws IOException {
    Configuration own = ImpatientClient.configuration(conf);
    own.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    new ObserverNameNodes(hdfs, conf).bypass(own);
    return new OwnerWatch(
        (DistributedFileSystem) FileSystem.newInstance(hdfs, own),
        root,
        patience,
        System::nanoTime);
  }

  /**
   * Asks the NameNode. To be called every second or so.
   *
   * @throws IOException if the NameNode does not answer; the silence of the holder counts anew then
   */
  public State look() throws IOException {
    Optional<OwnerSight> sight = OwnerFile.sight(fs, root);
    long now = nanos.getAsLong();
    if (!sight.equals(known) || now - answeredAt > LONGEST_GAP.toNanos()) {
      changedAt = now;
    }
    answeredAt = now;
    boolean wasThere = known.isPresent();
    if (sight.isEmpty()) {
      return wasThere ? State.GONE : State.FREE; // a file that is gone stays known
    }
    known = sight;
    seen = sight;
    if (!sight.get().held() || isKnownToBeDead(sight.get())) {
      return State.FREE;
    }
    if (sight.get().beat().isEmpty()) {
      return endsExpiredLease(now) ? State.FREE : State.HELD;
    }
    return now - changedAt >= patience.toNanos() ? State.SILENT : State.HELD;
  }

  private static boolean isKnownToBeDead(OwnerSight sight) throws IOException {
    Optional<OwnerProcess> process = sight.process();
    return process.isPresent() && process.get().isKnownToBeDead();
  }

  /** Ends the lease of a holder that gives no signs, if the NameNode takes it for dead. */
  private boolean endsExpiredLease(long now) {
    if (now - triedAt < BETWEEN_TRIES.toNanos()) {
      return false;
    }
    triedAt = now;
    return OwnerFile.endExpiredLease(fs, root);
  }

  /**
   * Ends the lease of a holder that is still silent. Whoever holds the file next waits before the
   * first change, so that what the holder believes of itself is outdated by then.
   *
   * @return whether nobody holds the file now
   */
  public boolean endLease() throws IOException {
    return look() == State.SILENT && OwnerFile.endLease(fs, root);
  }

  /**
   * Returns who was seen to hold the file, for messages; empty if nobody does. May be called from
   * any thread.
   */
  public Optional<String> holder() {
    return seen.filter(OwnerSight::held).map(OwnerSight::holder);
  }

  /** Returns where the holder answers, as it was seen last. May be called from any thread. */
  public Optional<URI> address() {
    return seen.filter(OwnerSight::held).flatMap(OwnerSight::address);
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
