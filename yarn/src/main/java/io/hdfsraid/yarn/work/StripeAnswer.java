// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import java.util.List;

/**
 * What became of a stripe in a container. The first answer for a stripe counts: a task that was
 * killed or that ran twice has no answer, because its output was not committed.
 */
public sealed interface StripeAnswer {

  /** Names the draft in this job. */
  int order();

  /** Returns the position of the stripe in the draft. */
  int stripe();

  /** Returns the replicas that could not be read. */
  List<Failure> failures();

  /**
   * The parity is written and closed.
   *
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
      implements StripeAnswer {}

  /**
   * It failed, for example because no replica of a data unit could be read there.
   *
   * @param why for people, with the host on which it happened
   */
  record Failed(int order, int stripe, String why) implements StripeAnswer {
    @Override
    public List<Failure> failures() {
      return List.of();
    }
  }

  /**
   * A replica that could not be read.
   *
   * @param unit number of its unit
   * @param replica its position in {@link StripeWork.Source#replicas}
   * @param offset position in the block at which reading failed
   * @param corrupt whether the bytes contradict their checksums
   */
  record Failure(int unit, int replica, long offset, boolean corrupt, String message) {}
}
