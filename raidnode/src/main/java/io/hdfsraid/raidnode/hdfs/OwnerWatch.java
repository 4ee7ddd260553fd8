// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.ObserverNameNodes;
import io.hdfsraid.raidnode.process.OwnerProcess;
import io.hdfsraid.recency.hdfs.ImpatientClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Watches the owner file for a daemon that stands by, and ends the lease of a holder whose
 * heartbeats have stopped. Only the time counts for which this process has seen no new heartbeat,
 * so the clocks of the machines may differ. It counts only while the NameNode answers and accepts
 * changes, because otherwise no holder can send a heartbeat. Not safe for concurrent use, but for
 * {@link #holder} and {@link #address}.
 */
public class OwnerWatch implements Closeable {
  /** How long only the daemon takes over to which the last holder has left its work. */
  public static final Duration RESERVED_FOR = Duration.ofSeconds(30);

  /** Between two looks without an answer the holder may have been without one, too. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  /**
   * How often the lease of a holder without heartbeats is tried, which is a daemon of an older
   * version or a command.
   */
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
    /** No process holds the file. */
    FREE,
    /** The holder is alive, or its heartbeats have not been missed for long enough. */
    HELD,
    /** The last holder has left its work to another daemon, which has some time to begin. */
    RESERVED,
    /** The holder has sent no heartbeat for the whole patience. */
    SILENT,
    /** The file was there and is gone: the root was removed, so that nothing is raided any more. */
    GONE
  }

  /**
   * Creates a watch.
   *
   * @param fs closed with the watch
   * @param patience how long heartbeats may be missing
   * @param nanos a clock that cannot be set
   */
  public OwnerWatch(DistributedFileSystem fs, String root, Duration patience, LongSupplier nanos) {
    this.fs = fs;
    this.root = root;
    this.patience = patience;
    this.nanos = nanos;
    this.triedAt = nanos.getAsLong() - BETWEEN_TRIES.toNanos();
  }

  /**
   * Watches the HDFS that the configuration files on the class path name. Empty if they name none:
   * the attempt to connect says what is wrong.
   *
   * @param nameservice which of several; empty for the default one
   */
  public static Optional<OwnerWatch> configured(
      Optional<String> nameservice, String root, Duration patience) throws IOException {
    Configuration conf = Nameservices.configuration(nameservice);
    URI hdfs = FileSystem.getDefaultUri(conf);
    if (new NameNodeAddress(hdfs, conf).problem().isPresent()) {
      return Optional.empty();
    }
    Configuration own = ImpatientClient.configuration(conf);
    own.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    new ObserverNameNodes(hdfs, conf).bypass(own);
    FileSystem opened = FileSystem.newInstance(hdfs, own);
    if (opened instanceof DistributedFileSystem fs
        && new NameNodeAddress(hdfs, conf).problem(fs.getClient().getNamenode()).isEmpty()) {
      return Optional.of(new OwnerWatch(fs, root, patience, System::nanoTime));
    }
    opened.close();
    return Optional.empty();
  }

  /**
   * Asks the NameNode. To be called every second or so.
   *
   * @throws IOException if the NameNode does not answer; the time counts anew then
   */
  public State look() throws IOException {
    Optional<OwnerSight> sight;
    try {
      sight = OwnerFile.sight(fs, root);
    } catch (AccessControlException e) {
      return State.FREE; // the attempt to begin says what this user may not do
    }
    boolean takesNoChanges = fs.setSafeMode(SafeModeAction.GET, true);
    long now = nanos.getAsLong();
    if (!sight.equals(known) || takesNoChanges || now - answeredAt > LONGEST_GAP.toNanos()) {
      changedAt = now;
    }
    answeredAt = now;
    if (sight.isEmpty()) {
      return known.isPresent() ? State.GONE : State.FREE; // a file that is gone stays known
    }
    known = sight;
    seen = sight;
    if (!sight.get().held() || isKnownToBeDead(sight.get())) {
      boolean mayWait = now - changedAt < RESERVED_FOR.toNanos();
      return mayWait && isForAnother(sight.get()) ? State.RESERVED : State.FREE;
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

  /** Returns whether the last holder has left its work to another daemon than this one. */
  private static boolean isForAnother(OwnerSight sight) throws IOException {
    if (sight.successor().isEmpty()) {
      return false;
    }
    String host = sight.successor().get();
    OwnerProcess here = OwnerProcess.current();
    return sight.process().filter(here::equals).isPresent() || !(host.isEmpty() || here.isOn(host));
  }

  /** Ends the lease of a holder without heartbeats, if the NameNode takes it for dead. */
  private boolean endsExpiredLease(long now) {
    if (now - triedAt < BETWEEN_TRIES.toNanos()) {
      return false;
    }
    triedAt = now;
    return OwnerFile.endExpiredLease(fs, root);
  }

  /**
   * Ends the lease of a holder that is still silent. The next holder waits before its first change,
   * so that what this one believes of itself is outdated by then.
   *
   * @return whether no process holds the file now
   * @throws IOException if the NameNode refuses; the time counts anew then
   */
  public boolean endLease() throws IOException {
    if (look() != State.SILENT) {
      return false;
    }
    changedAt = nanos.getAsLong();
    return OwnerFile.endLease(fs, root);
  }

  /**
   * Returns the holder that was seen last, for messages; empty if there is none. May be called from
   * any thread.
   */
  public Optional<String> holder() {
    return seen.filter(OwnerSight::held).map(OwnerSight::holder);
  }

  /**
   * Returns where the holder answers, as it was seen last. Empty also if it answers on its own
   * machine only, which is not this one. May be called from any thread.
   */
  public Optional<URI> address() {
    return seen.filter(OwnerSight::held)
        .flatMap(
            sight ->
                sight
                    .address()
                    .filter(uri -> !isLoopback(uri.getHost()) || isOnThisMachine(sight)));
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static boolean isOnThisMachine(OwnerSight sight) {
    try {
      String own = InetAddress.getLocalHost().getHostName();
      return sight.process().filter(process -> process.host().equals(own)).isPresent();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
