// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.process.OwnerProcess;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of the owner file, which HDFS gives to one process at a time. The file is never created
 * with overwrite, which would steal a live lease. Keeps no state.
 */
final class OwnerLease {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerLease.class);

  /** So the NameNode says it, and in no other way. */
  private static final String HELD_BY_OURSELVES = "is already the current lease holder";

  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);

  private final DistributedFileSystem fs;
  private final Path path;

  OwnerLease(DistributedFileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  /**
   * Takes the lease. Ends that of a process which is known to be dead.
   *
   * @throws OwnedByAnotherException if another process has it
   */
  HdfsDataOutputStream open() throws IOException {
    try {
      return create();
    } catch (IOException e) {
      IOException refusal = unwrapped(e);
      if (isLeaseHeld(refusal)) {
        return takeOver(refusal);
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
        return takeOver(refusal);
      }
      throw refusal;
    }
  }

  /** Fails if the file exists, or if its directory does not. */
  HdfsDataOutputStream create() throws IOException {
    return (HdfsDataOutputStream)
        fs.createFile(path)
            .permission(OWNER_ONLY)
            .overwrite(false)
            .replicate()
            .replication((short) 3)
            .build();
  }

  private static boolean isLeaseHeld(IOException e) {
    return e instanceof AlreadyBeingCreatedException || e instanceof RecoveryInProgressException;
  }

  /** The client unwraps some refusals of the NameNode and not others. */
  private static IOException unwrapped(IOException e) {
    return e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
  }

  private HdfsDataOutputStream takeOver(IOException held) throws IOException {
    Optional<OwnerProcess> owner = new OwnerMarks(fs, path).process();
    if (owner.isEmpty() || !owner.get().isKnownToBeDead()) {
      throw new OwnedByAnotherException(
          "Another RaidNode works on this cluster: %s is held open by %s. Stop that one first; if it is dead, its lease expires within a minute or so: try again then. (%s)"
              .formatted(
                  path,
                  owner.map(OwnerProcess::toString).orElse("an unknown process"),
                  firstLine(held)));
    }
    LOG.info("Taking over {} from {}, which is dead", path, owner.get());
    if (!fs.recoverLease(path)) {
      throw new OwnedByAnotherException(
          "The lease of %s is being recovered from %s; try again in a few seconds"
              .formatted(path, owner.get()));
    }
    return (HdfsDataOutputStream) fs.append(path);
  }

  /**
   * Asks whether the lease that we have just got is still ours. Of two daemons that begin at once
   * each may take the other for the dead one whose lease it ends.
   */
  void require(HdfsDataOutputStream taken) throws IOException {
    try {
      confirm(taken);
    } catch (RemoteException e) {
      if (!e.getClassName().endsWith(".LeaseExpiredException")) {
        throw e;
      }
      OwnedByAnotherException lost =
          new OwnedByAnotherException(
              "Another RaidNode has begun at the same time and ended our lease of %s. It works on this cluster now, unless it has failed, too: see its log. (%s)"
                  .formatted(path, firstLine(e)));
      lost.initCause(e);
      throw lost;
    }
  }

  /** Asks the NameNode to note the length of the file, which it refuses without the lease. */
  static void confirm(HdfsDataOutputStream held) throws IOException {
    held.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
  }

  /**
   * Ends the lease of a stream that was given up: the lease is still ours, and no other process
   * would end it.
   */
  HdfsDataOutputStream appendAgain() throws IOException {
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

  /** Frees what the client keeps of a stream whose lease is gone. */
  void closeLost(HdfsDataOutputStream gone) {
    try {
      gone.close();
    } catch (IOException e) {
      LOG.debug("{} was open without a lease", path, e);
    }
  }

  static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
