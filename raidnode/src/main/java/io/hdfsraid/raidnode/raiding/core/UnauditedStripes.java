// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits the number of stripes between reduction and audit, because these tolerate fewer losses
 * than their code promises. A daemon that starts adds the stripes of files that its catalog shows
 * as reduced, before it reduces anything. Safe for concurrent use.
 */
public final class UnauditedStripes {
  private final int limit;
  private final Map<Long, Integer> stripes = new HashMap<>();

  /** By the same ids; the others have none, or were not looked at yet. */
  private final Map<Long, ExcessReplicas> excess = new HashMap<>();

  public UnauditedStripes(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "At least 1 stripe must be allowed to wait for its audit, but got " + limit);
    }
    this.limit = limit;
  }

  /** Takes a file in if there is room; a file with more stripes than the limit goes alone. */
  public synchronized boolean admit(long inode, int count) {
    if (stripes.containsKey(inode)) {
      return true;
    }
    if (!stripes.isEmpty() && total() + count > limit) {
      return false;
    }
    stripes.put(inode, count);
    return true;
  }

  /** Takes a file in that is in that state already, whatever the limit says. */
  public synchronized void found(long inode, int count) {
    stripes.put(inode, count);
  }

  /** Notes which excess replicas of a file that waits were seen now; none if they are gone. */
  public synchronized void seen(long inode, Optional<ExcessReplicas> replicas) {
    if (replicas.isPresent() && stripes.containsKey(inode)) {
      excess.merge(inode, replicas.get(), (earlier, now) -> now.notBefore(earlier));
    } else {
      excess.remove(inode);
    }
  }

  /** Returns the replicas for whose end all these files wait; empty if there are none. */
  public synchronized Optional<ExcessReplicas> excess() {
    return ExcessReplicas.sum(excess.values());
  }

  public synchronized void audited(long inode) {
    stripes.remove(inode);
    excess.remove(inode);
  }

  /** Whether a file could be admitted at all. */
  public synchronized boolean hasRoom() {
    return total() < limit;
  }

  /** How many stripes wait now. */
  public synchronized int total() {
    return stripes.values().stream().mapToInt(Integer::intValue).sum();
  }
}
