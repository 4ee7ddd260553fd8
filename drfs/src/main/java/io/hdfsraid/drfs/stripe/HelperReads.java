// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The cost of a rebuild and the failed replicas that it met.
 *
 * @param bytes bytes read from DataNodes, by unit; units that were not read and bytes of cancelled
 *     attempts are not included
 * @param bytesFrom the same bytes by DataNode
 * @param failed replicas that could not be read
 */
public record HelperReads(
    Map<Integer, Long> bytes, Map<DataNode, Long> bytesFrom, List<FailedReplica> failed) {
  public HelperReads {
    bytes = Map.copyOf(bytes);
    bytesFrom = Map.copyOf(bytesFrom);
    failed = List.copyOf(failed);
  }

  /** Sums up these inputs. Several of them may belong to one unit. */
  static HelperReads of(Collection<UnitInput> inputs) {
    Map<Integer, Long> bytes = new HashMap<>();
    Map<DataNode, Long> bytesFrom = new HashMap<>();
    List<FailedReplica> failed = new ArrayList<>();
    for (UnitInput input : inputs) {
      if (input.bytesRead() > 0) {
        bytes.merge(input.unit(), input.bytesRead(), Long::sum);
      }
      input.bytesFrom().forEach((node, read) -> bytesFrom.merge(node, read, Long::sum));
      failed.addAll(input.failed());
    }
    return new HelperReads(bytes, bytesFrom, failed);
  }

  /** Returns these reads with the failed replicas of earlier attempts added in front. */
  HelperReads after(List<HelperLostException> attempts) {
    return new HelperReads(
        bytes,
        bytesFrom,
        Stream.concat(
                attempts.stream().flatMap(attempt -> attempt.failed().stream()), failed.stream())
            .toList());
  }
}
