// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * Computes the parity of a stripe. Reads each data unit once, row by row and all units in parallel,
 * and writes all parity units in parallel. Holds no state between calls. Safe for concurrent use;
 * each call takes at most 2·(k + m)·α·c bytes of the shared memory.
 */
public final class StripeEncoder {
  private final DataNodes dataNodes;
  private final Executor executor;
  private final ReplicaPreference preference;
  private final RowMemory memory;

  /**
   * @param executor runs reads, writes and closes, none of which waits for another. If it is
   *     bounded, its threads must not call this encoder
   * @param preference the order in which the replicas of a data unit are read
   * @param memory memory for the rows of all stripes that share it
   */
  public StripeEncoder(
      DataNodes dataNodes, Executor executor, ReplicaPreference preference, RowMemory memory) {
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.preference = preference;
    this.memory = memory;
  }

  /**
   * Encodes one stripe; waits for memory first. When this method returns or throws, all outputs are
   * closed and no task runs any more. After a failure the caller must discard what was written.
   *
   * @param layout with the α of the codec
   * @param data units 0 to d-1 with 1 &le; d &le; k; the others are absent
   * @param parity one output for each of the m parity units; all are closed here in parallel,
   *     because closing one takes as long as a block report
   * @param bytesRead called by the calling thread after each row with the bytes read from
   *     DataNodes; may block to limit the rate
   * @throws UnitUnreadableException if no live replica of a data unit can be read
   * @throws java.io.InterruptedIOException if the calling thread is interrupted; its interrupt flag
   *     is set
   */
  public EncodedStripe encode(
      ErasureCodec codec,
      RowLayout layout,
      List<LocatedBlock> data,
      List<UnitOutput> parity,
      LongConsumer bytesRead)
      throws IOException {
    return encode(codec, layout, data, parity, bytesRead, preference);
  }

  /**
   * Encodes as {@link #encode(ErasureCodec, RowLayout, List, List, LongConsumer)} does, with
   * another order of the replicas.
   */
  public EncodedStripe encode(
      ErasureCodec codec,
      RowLayout layout,
      List<LocatedBlock> data,
      List<UnitOutput> parity,
      LongConsumer bytesRead,
      ReplicaPreference order)
      throws IOException {
    EncodedStripe encoded;
    try (EncodingPass pass =
        new EncodingPass(dataNodes, order, codec, layout, data, parity, bytesRead)) {
      encoded = memory.during(pass.memory(), () -> run(pass));
    } catch (IOException | RuntimeException | Error e) {
      try {
        close(parity);
      } catch (IOException | RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    close(parity);
    return encoded;
  }

  private EncodedStripe run(EncodingPass pass) throws IOException {
    try (TaskGroup tasks = new TaskGroup(executor)) {
      return pass.result(RowPipeline.run(tasks, pass));
    }
  }

  private void close(List<UnitOutput> parity) throws IOException {
    TaskGroup.runAll(
        executor, parity.stream().<TaskGroup.Task>map(output -> output::close).toList());
  }
}
