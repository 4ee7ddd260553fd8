package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.parity.RefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock that makes a daemon the one writer: an <em>empty</em> file that exactly one daemon holds
 * open under its lease. The file is empty so that taking it over needs no block recovery and no
 * DataNode. It is never created with overwrite, which would steal a live lease. {@link #pass} asks
 * the NameNode to persist the length under the lease. The NameNode refuses this to a daemon that
 * has lost the lease.
 */
public final class OwnerFile implements Fence, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerFile.class);

  /** So the NameNode says it, and in no other way. */
  private static final String HELD_BY_OURSELVES = "is already the current lease holder";

  private static final String NAME = "owner";
  private static final String PROCESS = "user.raid.owner.process";
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);

  private final DistributedFileSystem fs;
  private final Path path;
  private final OwnerProcess process;
  private HdfsDataOutputStream stream;
  private boolean removed;

  private OwnerFile(
      DistributedFileSystem fs, Path path, HdfsDataOutputStream stream, OwnerProcess process) {
    this.fs = fs;
    this.path = path;
    this.stream = stream;
    this.process = process;
  }

  /**
   * Becomes the one writer below the root, once.
   *
   * @throws RefusedException when another daemon is: it names the process, and says what to do
   */
  public static OwnerFile acquire(DistributedFileSystem fs, String root) throws IOException {
    Path path = new Path(root, NAME);
    HdfsDataOutputStream stream = open(fs, path);
    try {
      OwnerProcess process = OwnerProcess.current();
      fs.setXAttr(path, PROCESS, process.toBytes());
      return new OwnerFile(fs, path, stream, process);
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }

  private static HdfsDataOutputStream open(DistributedFileSystem fs, Path path) throws IOException {
    try {
      return (HdfsDataOutputStream)
          fs.create(path, OWNER_ONLY, false, 512, (short) 3, fs.getDefaultBlockSize(path), null);
    } catch (IOException e) {
      IOException refusal = unwrapped(e);
      if (isLeaseHeld(refusal)) {
        return takeOver(fs, path, refusal);
      }
      if (!(refusal instanceof FileAlreadyExistsException)) {
        throw refusal;
      }
    }
    try {
      return (HdfsDataOutputStream) fs.append(path);
    } catch (IOException e) {
      IOException refusal = unwrapped(e);
      if (isLeaseHeld(refusal)) {
        return takeOver(fs, path, refusal);
      }
      throw refusal;
    }
  }

  private static boolean isLeaseHeld(IOException e) {
    return e instanceof AlreadyBeingCreatedException || e instanceof RecoveryInProgressException;
  }

  /** The client unwraps some refusals of the NameNode and not others. */
  private static IOException unwrapped(IOException e) {
    return e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
  }

  private static HdfsDataOutputStream takeOver(
      DistributedFileSystem fs, Path path, IOException held) throws IOException {
    Optional<OwnerProcess> owner = OwnerProcess.parse(xattr(fs, path));
    if (owner.isEmpty() || !owner.get().isKnownToBeDead()) {
      throw new RefusedException(
          "Another RaidNode works on this cluster: %s is held open by %s. Stop that one first; if it is dead, its lease expires within a minute or so: try again then. (%s)"
              .formatted(
                  path,
                  owner.map(OwnerProcess::toString).orElse("an unknown process"),
                  firstLine(held)));
    }
    LOG.info("Taking over {} from {}, which is dead", path, owner.get());
    if (!fs.recoverLease(path)) {
      throw new RefusedException(
          "The lease of %s is being recovered from %s; try again in a few seconds"
              .formatted(path, owner.get()));
    }
    return (HdfsDataOutputStream) fs.append(path);
  }

  /**
   * Returns the process that works below the root now; empty if there is none. Changes nothing.
   *
   * @throws IOException if this user has no permission
   */
  public static Optional<String> look(DistributedFileSystem fs, String root) throws IOException {
    Path path = new Path(root, NAME);
    boolean needBlockToken = false;
    HdfsLocatedFileStatus status =
        fs.getClient().getLocatedFileInfo(path.toUri().getPath(), needBlockToken);
    if (status == null || !status.getLocatedBlocks().isUnderConstruction()) {
      return Optional.empty();
    }
    return Optional.of(
        OwnerProcess.parse(xattr(fs, path))
            .map(OwnerProcess::toString)
            .orElse("a process that has not said which"));
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
    Optional<String> owner = look(fs, root);
    if (owner.isEmpty()) {
      return owner;
    }
    Optional<OwnerProcess> process = OwnerProcess.parse(xattr(fs, new Path(root, NAME)));
    return process.isPresent() && process.get().isKnownToBeDead() ? Optional.empty() : owner;
  }

  private static byte[] xattr(DistributedFileSystem fs, Path path) throws IOException {
    byte[] value = fs.getXAttrs(path).get(PROCESS);
    return value == null ? new byte[0] : value;
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** This process, as it is written beside the lease. */
  String holder() {
    return process.toString();
  }

  @Override
  public synchronized void pass() throws IOException {
    if (removed) {
      throw new IOException(
          "This RaidNode has withdrawn from the cluster and removed %s; restart it to take the cluster up again"
              .formatted(path));
    }
    try {
      stream.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
    } catch (IOException e) {
      try {
        stream = regain();
      } catch (IOException again) {
        again.addSuppressed(e);
        throw new IOException(
            "This RaidNode does not hold %s, so it must not change anything: another may have taken over. If this lasts, look who holds it and restart this one. (%s)"
                .formatted(path, firstLine(again)),
            again);
      }
    }
  }

  /**
   * The client drops its leases after a time without contact, and gives a stream up for good after
   * one refusal, say in safe mode. A plain append is refused while another process holds the file,
   * and a process that held it in between has left its name.
   */
  private HdfsDataOutputStream regain() throws IOException {
    HdfsDataOutputStream regained = appendAgain();
    if (!Arrays.equals(xattr(fs, path), process.toBytes())) {
      regained.close();
      throw new RefusedException("Another RaidNode has held %s meanwhile".formatted(path));
    }
    return regained;
  }

  /**
   * Ends the lease of a stream that was given up: the lease is still ours, and no other process
   * would end it.
   */
  private HdfsDataOutputStream appendAgain() throws IOException {
    try {
      return (HdfsDataOutputStream) fs.append(path);
    } catch (IOException e) {
      IOException refusal = unwrapped(e);
      if (!isLeaseHeld(refusal) || !firstLine(refusal).contains(HELD_BY_OURSELVES)) {
        throw refusal;
      }
      if (!fs.recoverLease(path)) {
        throw refusal; // an empty file is closed at once
      }
      return (HdfsDataOutputStream) fs.append(path);
    }
  }

  /** Deletes the file while we still hold it; nothing can be changed by us any more then. */
  synchronized void remove() throws IOException {
    pass();
    removed = true;
    boolean recursive = false;
    fs.delete(path, recursive);
    try {
      stream.close();
    } catch (IOException e) {
      LOG.debug("{} was open when it was deleted", path, e);
    }
  }

  /** Gives the ownership up at once, so that the next daemon need not wait. */
  @Override
  public synchronized void close() throws IOException {
    if (!removed) {
      stream.close();
    }
  }
}
