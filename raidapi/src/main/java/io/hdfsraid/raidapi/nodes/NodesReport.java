// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.nodes;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The DataNodes of the cluster, as the NameNode knows them.
 *
 * @param parityCountedAt when the last complete placement audit counted what each node holds of
 *     raided files; empty if there was none
 * @param nodes dead nodes first, then silent ones, then the fullest
 */
public record NodesReport(Instant checked, Optional<Instant> parityCountedAt, List<Node> nodes) {

  /** Whether a DataNode serves its replicas. */
  public enum State {
    /** The NameNode has declared it dead. */
    DEAD,
    /** It has sent no heartbeat for a minute. The NameNode still lists its replicas as live. */
    SILENT,
    /** It is being decommissioned or in maintenance, or was. */
    OUT_OF_SERVICE,
    LIVE,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /**
   * A DataNode.
   *
   * @param node its transfer address
   * @param host its host name
   * @param lastHeard time of its last heartbeat; empty unless it is dead or silent
   * @param usedBytes bytes that HDFS stores on it; 0 if it is dead
   * @param remainingBytes bytes that HDFS may still store on it; 0 if it is dead
   * @param raidedBytes bytes of data of raided files on it, as the last complete placement audit
   *     counted them. For a dead node, this and {@code parityBytes} are what it took along: HDFS
   *     does not say which node held a replica that is gone
   * @param parityBytes bytes of parity on it, as the placement audit last counted them, with what
   *     was written and moved since
   * @param badReplicas replicas on it that were read, were found rotten, and are not known to have
   *     been replaced
   * @param oldestAsked since when all replicas of raided files on it have been asked for their
   *     checksums. More exactly: scrubs are remembered for whole files, and this is the begin of
   *     the earliest among the last presence scrubs of the files with units on the node, as the
   *     last complete placement audit found them. A file without a scrub counts from the time at
   *     which its parity was first seen. Empty if that audit found no such file
   * @param oldestRead the same of deep scrubs, which read the replicas
   */
  public record Node(
      String node,
      String host,
      String rack,
      State state,
      Optional<Instant> lastHeard,
      long usedBytes,
      long remainingBytes,
      long raidedBytes,
      long parityBytes,
      long badReplicas,
      Optional<Instant> oldestAsked,
      Optional<Instant> oldestRead) {
    public Node {
      oldestAsked = Absent.toEmpty(oldestAsked);
      oldestRead = Absent.toEmpty(oldestRead);
      node = Absent.toEmpty(node);
      host = Absent.toEmpty(host);
      rack = Absent.toEmpty(rack);
      state = state == null ? State.UNKNOWN : state;
      lastHeard = Absent.toEmpty(lastHeard);
    }
  }

  public NodesReport {
    parityCountedAt = Absent.toEmpty(parityCountedAt);
    nodes = Absent.toEmpty(nodes);
  }
}
