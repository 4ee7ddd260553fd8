// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidnode.process.OwnerProcess;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock that makes a daemon the one writer: an <em>empty</em> file that exactly one daemon holds
 * open under its lease. The file is empty so that taking it over needs no block recovery and no
 * DataNode.
 *
 * <p>{@link #pass} asks the NameNode to persist the length under the lease, which the NameNode
 * refuses to a daemon that has lost the lease. HDFS finds the lease by inode, wherever the file is
 * by now, so the path is compared, too. Once another daemon is known to have been the owner, or the
 * namespace was set back to an earlier state ({@link Terms}), nothing passes any more.
 */
public final class OwnerFile implements Fence, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerFile.class);

  private static final String NAME = "owner";

  /**
   * How long an answer is believed. Whoever takes over from a process that may be alive waits for
   * longer than that before the first change.
   */
  private static final Duration BELIEVED = Duration.ofSeconds(3);

  /** Longer than an answer is believed. */
  private static final Duration SETTLED = BELIEVED.plusSeconds(1);

  /** The time between heartbeats: several must be missing before the holder is taken for dead. */
  private static final Duration BEAT = Duration.ofSeconds(2);

  /** No NameNode is started anew in so short a time. */
  private static final Duration RESTART = Duration.ofSeconds(1);

  private static final Duration LAST_BEAT = Duration.ofSeconds(5);

  /** The time for work to end that is left to another daemon. */
  private static final Duration LONGEST_END = Duration.ofMinutes(2);

  private final DistributedFileSystem fs;
  private final Path path;
  private final OwnerLease lease;
  private final OwnerMarks marks;
  private final Root root;
  private final OwnerProcess process;
  private final boolean first;
  private HdfsDataOutputStream stream;
  private final boolean formerIsSilent;
  private long inode;
  private volatile long epoch;
  private volatile Terms terms = Terms.NONE;
  private boolean removed;
  private boolean closed;
  private volatile boolean handedOver;
  private long advertisedIn;
  private volatile Optional<URI> address = Optional.empty();
  private volatile Optional<ScheduledExecutorService> heart = Optional.empty();
  private volatile Confirmation confirmed = Confirmation.NONE;

  /** When the NameNode last confirmed the ownership, also if it has not confirmed it since. */
  private volatile Confirmation heldAt;

  private volatile Ownership ownership;
  private volatile Optional<String> deposed = Optional.empty();
  private volatile Runnable onRemade = () -> {};

  /** Completed, with the reason, when this process has lost the ownership. */
  private final CompletableFuture<String> end = new CompletableFuture<>();

  /** Makes the directories that the file lies in. */
  @FunctionalInterface
  public interface Root {
    void prepare() throws IOException;
  }

  /** The time of an answer, by two clocks: one stands still while a machine is paused. */
  private record Confirmation(long nanos, long millis) {
    static final Confirmation NONE = new Confirmation(System.nanoTime() - BELIEVED.toNanos(), 0);

    static Confirmation now() {
      return new Confirmation(System.nanoTime(), System.currentTimeMillis());
    }

    boolean isBelieved() {
      long elapsed = System.currentTimeMillis() - millis;
      return System.nanoTime() - nanos < BELIEVED.toNanos()
          && elapsed >= 0
          && elapsed < BELIEVED.toMillis();
    }

    /** Returns the time since then, by the clock that shows more. */
    Duration age() {
      return Duration.ofNanos(
          Math.max(
              System.nanoTime() - nanos,
              Duration.ofMillis(System.currentTimeMillis() - millis).toNanos()));
    }
  }

  private OwnerFile(
      DistributedFileSystem fs,
      Path path,
      OwnerLease lease,
      Root root,
      HdfsDataOutputStream stream,
      boolean first)
      throws IOException {
    this.fs = fs;
    this.path = path;
    this.lease = lease;
    this.marks = new OwnerMarks(fs, path);
    this.root = root;
    this.first = first;
    this.process = OwnerProcess.current();
    this.heldAt = Confirmation.now();
    this.formerIsSilent = take(stream);
    this.ownership = Ownership.held();
  }

  /**
   * Becomes the one writer below the root, once. Where a daemon has worked before, nothing is
   * written before this process is the writer.
   *
   * @param root prepared before the first owner file is created, or after the ownership was taken
   * @throws RefusedException when another daemon is: it names the process, and says what to do
   */
  public static OwnerFile acquire(DistributedFileSystem fs, String directory, Root root)
      throws IOException {
    Path path = new Path(directory, NAME);
    boolean first = fs.getClient().getFileInfo(path.toUri().getPath()) == null;
    if (first) {
      root.prepare();
    }
    OwnerLease lease = new OwnerLease(fs, path);
    HdfsDataOutputStream stream = lease.open();
    try {
      OwnerFile owner = new OwnerFile(fs, path, lease, root, stream, first);
      if (!owner.formerIsSilent) {
        owner.outwaitFormerHolder();
      }
      if (!first) {
        root.prepare();
      }
      return owner;
    } catch (IOException e) {
      try {
        stream.close();
      } catch (IOException lost) { // a stream that has failed says so again
        e.addSuppressed(lost);
      }
      throw e;
    }
  }

  /**
   * Writes who we are beside the lease that we have just got.
   *
   * @return whether the former holder can do no harm any more
   */
  private boolean take(HdfsDataOutputStream taken) throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(file());
    if (status == null) {
      throw new IOException(path + " is gone right after it was created");
    }
    Map<String, byte[]> found = marks.all();
    boolean silent = isSilent(found);
    epoch = Math.max(epoch, OwnerSight.epoch(found)) + 1;
    Terms former =
        found.containsKey(OwnerSight.TERMS)
            ? OwnerSight.terms(status.getFileId(), found)
            : terms.in(status.getFileId());
    Terms begun = former.begin(epoch);
    lease.require(taken); // or we would write over the marks of who has it
    marks.name(process, epoch);
    marks.write(begun); // after the names: if we end in between, the former term stays the last one
    marks.removeBeats(found);
    lease.require(taken);
    terms = begun;
    stream = taken;
    inode = status.getFileId();
    return silent;
  }

  /**
   * Says beside the lease that the loss of a term was noticed and heeded, so that the others do not
   * say so again when they take over.
   */
  public synchronized void heeded(LastTerm lost) throws IOException {
    recheck();
    Terms now = terms.lose(lost.id());
    marks.write(now);
    terms = now.withBeats(terms.last().beats());
  }

  /**
   * Returns whether the former holder has given the file up, or is dead for certain. A dead one
   * that has sent no heartbeat may not have waited for the holder before it to the end.
   */
  private static boolean isSilent(Map<String, byte[]> marks) throws IOException {
    Optional<OwnerProcess> former = OwnerSight.process(marks);
    return former.isEmpty()
        || OwnerSight.isReleased(marks)
        || (OwnerSight.beat(marks).isPresent() && former.get().isKnownToBeDead());
  }

  /**
   * Waits until what a former holder believes of itself is outdated. It may still run: a lease can
   * be ended by force, or expire while a process is stopped.
   */
  private void outwaitFormerHolder() throws IOException {
    LOG.info(
        "Waiting {} s for what the former holder of {} may believe", SETTLED.toSeconds(), path);
    try {
      TimeUnit.MILLISECONDS.sleep(SETTLED.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted before the ownership was taken").initCause(e);
    }
    lease.require(stream);
  }

  private String file() {
    return path.toUri().getPath();
  }

  /**
   * Returns the process that works below the root now; empty if there is none. Changes nothing.
   *
   * @throws IOException if this user has no permission
   */
  public static Optional<String> look(DistributedFileSystem fs, String root) throws IOException {
    return sight(fs, root).filter(OwnerSight::held).map(OwnerSight::holder);
  }

  /**
   * Returns what there is to see of the owner file below the root; empty if there is none. Changes
   * nothing.
   */
  static Optional<OwnerSight> sight(DistributedFileSystem fs, String root) throws IOException {
    Path path = new Path(root, NAME);
    boolean needBlockToken = false;
    HdfsLocatedFileStatus status =
        fs.getClient().getLocatedFileInfo(path.toUri().getPath(), needBlockToken);
    if (status == null) {
      return Optional.empty();
    }
    boolean held = status.getLocatedBlocks().isUnderConstruction();
    return Optional.of(OwnerSight.of(held, fs.getXAttrs(path)));
  }

  /**
   * Returns the terms that the owner file tells of; empty if there is no such file, or it tells of
   * none, as that of an older version.
   */
  static Optional<Terms> terms(DistributedFileSystem fs, String root) throws IOException {
    Path path = new Path(root, NAME);
    HdfsFileStatus status = fs.getClient().getFileInfo(path.toUri().getPath());
    return status == null
        ? Optional.empty()
        : Optional.of(OwnerSight.terms(status.getFileId(), fs.getXAttrs(path)))
            .filter(terms -> terms.present().isPresent());
  }

  /** Returns whether the lease is ended, whoever has it. */
  static boolean endLease(DistributedFileSystem fs, String root) throws IOException {
    return fs.recoverLease(new Path(root, NAME));
  }

  /** Returns whether nobody holds the file now. A lease that has not expired is left alone. */
  static boolean endExpiredLease(DistributedFileSystem fs, String root) {
    try {
      fs.append(new Path(root, NAME)).close();
      return true;
    } catch (IOException e) {
      LOG.debug("The owner file below {} is held", root, e);
      return false;
    }
  }

  /**
   * Asks for the blocks of the owner file, which leaves a line in the NameNode's audit log as any
   * open does.
   *
   * @throws IOException if no process has ever worked below the root, or the NameNode does not
   *     answer
   */
  public static void leaveTrace(DistributedFileSystem fs, String root) throws IOException {
    LocatedBlocks unused =
        fs.getClient().getLocatedBlocks(new Path(root, NAME).toUri().getPath(), 0);
  }

  /**
   * As {@link #look}, but without a process of this machine that is known to be dead: of that one
   * the ownership can be taken at once.
   *
   * @throws IOException when this user may not look
   */
  public static Optional<String> alive(DistributedFileSystem fs, String root) throws IOException {
    Optional<OwnerSight> sight = sight(fs, root).filter(OwnerSight::held);
    Optional<OwnerProcess> process = sight.flatMap(OwnerSight::process);
    return process.isPresent() && process.get().isKnownToBeDead()
        ? Optional.empty()
        : sight.map(OwnerSight::holder);
  }

  /** This process, as it is written beside the lease. */
  public String holder() {
    return process.toString();
  }

  /**
   * Whether there was no owner file before: no daemon has worked below this root, or somebody has
   * deleted or moved the root while none ran.
   */
  public boolean isFirst() {
    return first;
  }

  /** Returns the terms of all holders, that of this process last. Does not wait. */
  public Terms terms() {
    return terms;
  }

  /**
   * Returns what the last answer of the NameNode has shown, if it is not too old to say anything.
   * Asks nothing, and does not wait for a question that hangs.
   */
  public Ownership ownership() {
    Ownership last = ownership;
    return last.aged(heldAt.age(), path.toString());
  }

  /**
   * Returns what is completed, with the reason, when another daemon has taken over or the namespace
   * was set back.
   */
  public CompletionStage<String> end() {
    return end;
  }

  /**
   * Sets what is done when the file was gone, held by nobody, and was made again: somebody has
   * deleted the root, and the parity with it.
   */
  public void onRemade(Runnable action) {
    onRemade = action;
  }

  @Override
  public void recheck() throws IOException {
    if (deposed.isPresent() || !confirmed.isBelieved()) {
      pass();
    }
  }

  @Override
  public void recheckForRaise() throws IOException {
    try {
      Fence.super.recheckForRaise();
    } catch (RootMovedException e) {
      // The lease has gone with the root. What is appended now must not wait for its return.
    }
  }

  @Override
  public synchronized void pass() throws IOException {
    if (deposed.isPresent()) {
      // A new one each time: what is thrown twice cannot be suppressed by itself.
      throw new DeposedException(deposed.get());
    }
    if (closed) {
      throw new DeposedException(path + " was given up");
    }
    if (removed) {
      throw new IOException(ownership.problem());
    }
    Confirmation asked = Confirmation.now();
    try {
      confirm();
      confirmed = asked;
      heldAt = asked;
      ownership = Ownership.held();
    } catch (DeposedException e) {
      ownership = new Ownership(Ownership.State.LOST, e.getMessage());
      deposed = Optional.of(e.getMessage());
      LOG.error("{}", e.getMessage());
      end.complete(e.getMessage());
      throw e;
    } catch (RootMovedException e) {
      confirmed = Confirmation.NONE;
      ownership = new Ownership(Ownership.State.ROOT_MOVED, e.getMessage());
      throw e;
    } catch (IOException e) {
      confirmed = Confirmation.NONE;
      UnconfirmedOwnershipException unconfirmed =
          new UnconfirmedOwnershipException(
              "This RaidNode cannot confirm that it holds %s, so it changes nothing but to raise replication. If this lasts, look whether the NameNode answers and who holds the file. (%s)"
                  .formatted(path, OwnerLease.firstLine(e)),
              e);
      ownership = new Ownership(Ownership.State.UNCONFIRMED, unconfirmed.getMessage());
      throw unconfirmed;
    }
  }

  private void confirm() throws IOException {
    try {
      OwnerLease.confirm(stream);
    } catch (IOException e) {
      if (handedOver) {
        throw deposed("it was told to leave %s to another".formatted(path));
      }
      try {
        regain();
      } catch (IOException again) {
        again.addSuppressed(e);
        throw again;
      }
    }
    requireInPlace();
    if (heldAt.age().compareTo(RESTART) > 0) {
      requireSameHistory();
    }
  }

  /**
   * Fails if the namespace was set back to an earlier state in which we have held the file, too. A
   * plan from before must not be carried out then: the NameNode may have given the same ids to
   * other files.
   */
  private void requireSameHistory() throws IOException {
    LastTerm known = terms.last();
    if (!OwnerSight.terms(inode, marks.all()).has(known.id(), known.beats())) {
      throw setBack(known);
    }
  }

  private DeposedException setBack(LastTerm known) {
    // What is noted of us at the end, so that the next owner does not find it nearly there.
    terms = terms.withBeats(known.beats() + Terms.UNDER_WAY);
    return new DeposedException(
        "The namespace was set back to an earlier state, as by a NameNode that is started from an old checkpoint: %s does not know %s any more. This RaidNode ends all that it does; whoever takes the file next compares everything with HDFS"
            .formatted(path, known));
  }

  /** The lease follows the file wherever it is moved, but parity is looked for below the root. */
  private void requireInPlace() throws IOException {
    HdfsFileStatus there = fs.getClient().getFileInfo(file());
    if (there != null && there.getFileId() == inode) {
      return;
    }
    if (there != null) {
      throw deposed("%s is another file now".formatted(path));
    }
    String now = whereItIs();
    throw now.endsWith("/" + NAME)
        ? RootMovedException.to(parent(file()), parent(now))
        : RootMovedException.to(file(), now);
  }

  /** Returns the path of the file that we hold open. Only the list of open files tells it. */
  private String whereItIs() throws IOException {
    var open =
        fs.getClient()
            .getNamenode()
            .listOpenFiles(inode - 1, EnumSet.of(OpenFilesType.ALL_OPEN_FILES), "/");
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).getId() == inode) {
        return open.get(i).getFilePath();
      }
    }
    throw new IOException("%s is gone".formatted(path));
  }

  private static String parent(String file) {
    return file.substring(0, Math.max(1, file.lastIndexOf('/')));
  }

  private DeposedException deposed(String how) {
    return new DeposedException(
        "Another RaidNode has taken over: %s. This one changes nothing any more".formatted(how));
  }

  /**
   * The client drops its leases after a time without contact, and gives a stream up for good after
   * one refusal, say in safe mode. A plain append is refused while another process holds the file,
   * and a process that held it in between has left its name.
   */
  private void regain() throws IOException {
    HdfsDataOutputStream regained;
    try {
      regained = lease.appendAgain();
    } catch (FileNotFoundException e) {
      remake(e);
      return;
    } catch (IOException e) {
      requireOurName();
      throw e;
    }
    try {
      requireOurName();
    } catch (IOException e) {
      regained.close();
      throw e;
    }
    stream = regained;
  }

  /**
   * Looks who has held the file last. The epoch tells two owners of one process apart, such as a
   * daemon that was deposed and has come back.
   */
  private void requireOurName() throws IOException {
    Map<String, byte[]> found = marks.all();
    Optional<OwnerProcess> last = OwnerSight.process(found);
    if (last.equals(Optional.of(process)) && OwnerSight.epoch(found) == epoch) {
      return;
    }
    HdfsFileStatus there = fs.getClient().getFileInfo(file());
    if (there != null && OwnerSight.terms(there.getFileId(), found).lacks(terms.last())) {
      throw setBack(terms.last());
    }
    throw deposed(
        "%s has held %s"
            .formatted(last.map(OwnerProcess::toString).orElse("an unknown process"), path));
  }

  /**
   * Makes a file again that was deleted, unless somebody else does so first. That is no take-over:
   * who takes over leaves the file.
   */
  private void remake(FileNotFoundException gone) throws IOException {
    if (isOurs(inode)) {
      throw RootMovedException.away(parent(file()));
    }
    root.prepare();
    HdfsDataOutputStream made;
    try {
      made = lease.create();
    } catch (IOException e) {
      e.addSuppressed(gone);
      throw e;
    }
    HdfsFileStatus there = fs.getClient().getFileInfo(file());
    if (there != null && there.getFileId() <= inode) {
      lease.closeLost(made);
      throw setBack(terms.last()); // to a state before the file
    }
    HdfsDataOutputStream deleted = stream;
    boolean unused = take(made); // of a file that nobody else has held
    lease.closeLost(deleted);
    LOG.error(
        "{} was deleted, and the parity with it. It was made again. Nothing is raided until an"
            + " operator resumes it",
        path);
    onRemade.run();
  }

  /** Returns whether a file with this id is an owner file; the NameNode may give an id again. */
  private boolean isOurs(long inode) throws IOException {
    try {
      return InodePath.ask(inode, there -> fs.getXAttrs(new Path(there)))
          .containsKey(OwnerSight.PROCESS);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Deletes the file while we still hold it; nothing can be changed by us any more then. */
  synchronized void remove() throws IOException {
    pass();
    removed = true;
    ownership =
        new Ownership(
            Ownership.State.WITHDRAWN,
            "This RaidNode has withdrawn from the cluster and removed %s; restart it to take the cluster up again"
                .formatted(path));
    boolean recursive = false;
    fs.delete(path, recursive);
    lease.closeLost(stream);
  }

  /**
   * Sends heartbeats until the file is closed. Daemons that stand by take a process for dead whose
   * heartbeats stop, and leave one alone that has never sent any.
   */
  public void startHeartbeat() {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "owner-heartbeat");
              thread.setDaemon(true);
              return thread;
            });
    heart = Optional.of(timer);
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void beat() {
    try {
      pass();
      long now = epoch();
      long beats = terms.last().beats() + 1;
      if (address.isPresent() && advertisedIn != now) {
        marks.set(OwnerSight.ADDRESS, process, now, address.get());
        advertisedIn = now;
      }
      marks.set(OwnerSight.beat(beats), process, now, beats);
      beaten(now, beats);
    } catch (IOException | RuntimeException e) {
      LOG.debug("A heartbeat has failed", e); // pass has said why, or will
    }
  }

  /** Notes a heartbeat, unless the file was made anew meanwhile, which began another term. */
  private synchronized void beaten(long inEpoch, long beats) {
    if (inEpoch == epoch) {
      terms = terms.withBeats(beats);
    }
  }

  /**
   * Leaves the work to a daemon that stands by. This one ends as if another had taken over, and
   * closes the file when its work has ended. If that takes too long, its heartbeats stop, so that
   * the other ends the lease. In either case the other waits before its first change: this process
   * lives on, and some thread of it may hang in a call.
   *
   * @param host the machine whose daemon is to take over; empty for any but this one
   * @param by who asks for it
   * @param certain called when nothing can fail any more, before this daemon begins to end
   * @throws IOException if this process does not hold the file any more, or the NameNode does not
   *     answer
   */
  public void handOver(Optional<String> host, String by, Runnable certain) throws IOException {
    pass();
    try {
      marks.set(OwnerSight.SUCCESSOR, process, epoch(), host.orElse(""));
    } catch (IOException e) {
      marks.remove(OwnerSight.SUCCESSOR); // the answer may be lost
      throw e;
    }
    handedOver = true;
    heart.ifPresent(
        timer -> {
          ScheduledFuture<?> unused =
              timer.schedule(timer::shutdownNow, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
        });
    String reason =
        "%s has it leave the work to %s"
            .formatted(by, host.map("the daemon on "::concat).orElse("one that stands by"));
    LOG.info("{}", reason);
    certain.run();
    end.complete(reason);
  }

  /** Tells daemons that stand by, with the next heartbeat, where the REST API of this one is. */
  public void advertise(URI where) {
    address = Optional.of(where);
  }

  /**
   * Returns how many processes have held the file, this one included, as far as the namespace knows
   * them. Does not wait.
   */
  @Override
  public long epoch() {
    return epoch;
  }

  /** Says that we change nothing any more, so that the next holder need not wait. */
  private void release() {
    try {
      marks.set(OwnerSight.RELEASED, process, epoch, "");
    } catch (IOException e) {
      LOG.debug("{} is given up without a word", path, e);
    }
  }

  private void stopHeartbeat() {
    heart.ifPresent(ScheduledExecutorService::shutdownNow);
    try {
      if (heart.isPresent()
          && !heart.get().awaitTermination(LAST_BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("A heartbeat has not ended while {} is given up", path);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives the ownership up at once. */
  @Override
  public void close() throws IOException {
    stopHeartbeat();
    giveUp();
  }

  /**
   * Ends the lease, if it is still ours. A daemon that has left its work to another does not say
   * that it changes nothing any more: its process lives on.
   */
  private synchronized void giveUp() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    confirmed = Confirmation.NONE;
    if (deposed.isPresent() || handedOver) {
      lease.closeLost(stream); // or with it, which ends it
    } else if (!removed) {
      release();
      try {
        stream.close();
      } catch (RemoteException e) {
        if (!FileNotFoundException.class.getName().equals(e.getClassName())) {
          throw e;
        }
        LOG.warn("{} was deleted before it was given up", path);
      }
    }
  }
}
