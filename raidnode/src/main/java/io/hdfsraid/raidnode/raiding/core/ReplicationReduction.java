// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.parity.ParityPhase;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lowers the replication of files, which is the point of no return. HDFS carries the call out
 * whenever it arrives: also if this process was stopped, or cut off, after the fence let it pass,
 * and another daemon has let the file go meanwhile. So the fence is checked after the call, too,
 * and what was lowered too late is raised again, whatever the fence says. While nobody answers, as
 * when this machine was cut off right after the call, the answer is waited for. Safe for concurrent
 * use.
 */
public final class ReplicationReduction {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationReduction.class);

  /** How long the answer is waited for whether this daemon still works on the cluster. */
  private static final Polling ANSWER =
      Polling.withBackoff(Duration.ofMillis(10), Duration.ofMinutes(10), Duration.ofSeconds(1));

  /** A daemon that is told to stop asks once more, and waits for nobody. */
  private static final Polling ONCE = new Polling(1, () -> {});

  private final ClusterAccess cluster;

  public ReplicationReduction(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /**
   * Lowers the replication of a file to what the manifest asks for. The caller has passed the fence
   * right before.
   *
   * @param parity the inode id of the file, or the id of its group
   * @throws DeposedException if this daemon does not work on the cluster any more. The replication
   *     is what it was, unless the other daemon counts on the reduction
   */
  public void lower(long inode, long parity, Manifest manifest) throws IOException {
    try {
      cluster.namespace().setReplication(inode, manifest.targetReplication());
    } catch (DeposedException e) {
      throw e; // nothing was sent
    } catch (IOException e) {
      try {
        undoIfDeposed(inode, parity, manifest); // the answer may be lost
      } catch (IOException deposed) {
        deposed.addSuppressed(e);
        throw deposed;
      }
      throw e;
    }
    undoIfDeposed(inode, parity, manifest);
  }

  private void undoIfDeposed(long inode, long parity, Manifest manifest) throws IOException {
    // A daemon that ends interrupts its work, and Hadoop's client sends nothing for an interrupted
    // thread.
    boolean interrupted = Thread.interrupted();
    try {
      if (!(interrupted ? ONCE : ANSWER).until(this::isConfirmed)) {
        cluster.fence().recheck();
      }
    } catch (DeposedException deposed) {
      if (!isCountedOn(parity, manifest)) {
        undo(inode, manifest, deposed);
      }
      throw deposed;
    } catch (IOException e) {
      LOG.error(
          "It is not known whether another daemon had taken over when the replication of inode {} was lowered to {}. If one had, look at the file, and raise it by hand",
          inode,
          manifest.targetReplication(),
          e);
      throw e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether this daemon is the only one; false if that cannot be asked now. */
  private boolean isConfirmed() throws IOException {
    try {
      cluster.fence().recheck();
      return true;
    } catch (UnconfirmedOwnershipException e) {
      LOG.debug("A reduction is not confirmed yet", e);
      return false;
    }
  }

  /**
   * Returns whether the other daemon has seen the reduction and counts on it: it has marked the
   * parity as reduced. Before it lets such a file go, it changes the mark, and then raises the
   * replication itself.
   */
  private boolean isCountedOn(long parity, Manifest manifest) {
    try {
      return cluster
          .parity()
          .find(parity)
          .filter(found -> found.phase() == ParityPhase.REDUCED)
          .filter(found -> found.manifest().equals(manifest))
          .isPresent();
    } catch (IOException e) {
      LOG.debug("It is not known whether parity {} is in service", parity, e);
      return false;
    }
  }

  private void undo(long inode, Manifest manifest, DeposedException deposed) {
    int former = manifest.originalReplication();
    try {
      if (cluster.namespace().undoReduction(inode, manifest.targetReplication(), former)) {
        LOG.warn(
            "The replication of inode {} was lowered while another daemon took over, which does not count on it. It was raised to {} again",
            inode,
            former);
      }
    } catch (IOException e) {
      deposed.addSuppressed(e);
      LOG.error(
          "The replication of inode {} was perhaps lowered while another daemon took over, which does not count on it. It could not be raised to {} again: look at it, and raise it by hand",
          inode,
          former,
          e);
    }
  }
}
