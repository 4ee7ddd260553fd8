// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import java.util.List;
import java.util.Map;

/**
 * What a container says of its work.
 *
 * <p>Of encodings, the first answer for a stripe counts: a task that was killed or that ran twice
 * has no answer, because its output was not committed. Of repairs, all answers of the attempt count
 * that was the first to say that it has {@link Sent} its units.
 */
public sealed interface Answer {

  /** Names in its job whoever waits for it. */
  int order();

  /**
   * The parity is written and closed.
   *
   * @param stripe its position in the draft
   * @param attempt the suffix of the files of its units: {@code <index>-<attempt>}
   * @param dataCrcs CRC32C of the data units, in order
   * @param parityCrcs CRC32C of the parity units, in order
   * @param distances how far the replica was from which each data unit was read
   */
  record Encoded(
      int order,
      int stripe,
      String attempt,
      List<Integer> dataCrcs,
      List<Integer> parityCrcs,
      List<Distance> distances,
      List<Failure> failures,
      EncodingTimes times)
      implements Answer {}

  /**
   * It failed, for example because no replica of a unit could be read there.
   *
   * @param stripe its position in the draft; 0 for a repair
   * @param attempt the task that failed
   * @param why for people, with the host on which it happened
   */
  record Failed(int order, int stripe, String attempt, String why) implements Answer {}

  /**
   * The units of a repair are rebuilt, proven and sent, and wait to be made final.
   *
   * @param attempt the task that has sent them, by which it is answered
   * @param bytesRead bytes read from helpers, by how far they were
   */
  record Sent(int order, String attempt, Map<Distance, Long> bytesRead) implements Answer {
    public Sent {
      bytesRead = Map.copyOf(bytesRead);
    }
  }

  /** The target of a repaired unit has acknowledged it. */
  record Finished(int order, String attempt, int unit) implements Answer {}

  /**
   * A replica that could not be read.
   *
   * @param unit position of its unit among the sources of the work
   * @param replica its position in {@link Source#replicas}
   * @param offset position in the block at which reading failed
   * @param corrupt whether the bytes contradict their checksums
   */
  record Failure(int unit, int replica, long offset, boolean corrupt, String message) {}
}
