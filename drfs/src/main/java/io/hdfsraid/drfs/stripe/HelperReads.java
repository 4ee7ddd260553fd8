package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What rebuilding cost and what it found out.
 *
 * @param bytes read from DataNodes, by unit; units that gave nothing are not in it, nor is what an
 *     attempt read that was given up
 * @param bytesFrom the same bytes by the node they came from
 * @param failed replicas that turned out to be unreadable on the way
 */
public record HelperReads(
    Map<Integer, Long> bytes, Map<DataNode, Long> bytesFrom, List<FailedReplica> failed) {
  public HelperReads {
    bytes = Map.copyOf(bytes);
    bytesFrom = Map.copyOf(bytesFrom);
    failed = List.copyOf(failed);
  }

  public long totalBytes() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What these have read; several may be of one unit. */
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

  /** With the replicas that failed in earlier attempts before those of this one. */
  HelperReads after(List<HelperLostException> attempts) {
    return new HelperReads(
        bytes,
        bytesFrom,
        Stream.concat(
                attempts.stream().flatMap(attempt -> attempt.failed().stream()), failed.stream())
            .toList());
  }
}
