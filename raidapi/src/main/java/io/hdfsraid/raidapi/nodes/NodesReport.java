package io.hdfsraid.raidapi.nodes;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The DataNodes of the cluster, as the NameNode knows them.
 *
 * @param parityCountedAt when the placement audit last counted the parity of all nodes; empty if it
 *     never did
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
   * @param parityBytes bytes of parity on it, as the placement audit last counted them
   */
  public record Node(
      String node,
      String host,
      String rack,
      State state,
      Optional<Instant> lastHeard,
      long usedBytes,
      long remainingBytes,
      long parityBytes) {
    public Node {
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
