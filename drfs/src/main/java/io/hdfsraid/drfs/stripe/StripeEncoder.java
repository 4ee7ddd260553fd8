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
 * Computes the parity of a stripe: reads each data unit once, row by row, all of them at once, and
 * writes all parity units at once. Holds no state between calls; safe for concurrent use, each call
 * taking at most 2·(k + m)·α·c bytes of the memory they share.
 */
public final class StripeEncoder {
  private final DataNodes dataNodes;
  private final Executor executor;
  private final ReplicaPreference preference;
  private final RowMemory memory;

  /**
   * @param executor runs reads, writes and closes, none of which waits for another; a thread that
   *     calls this encoder must not be one of a bounded executor's
   * @param preference which replica of a data unit to read first
   * @param memory for the rows of all stripes that share it
   */
  public StripeEncoder(
      DataNodes dataNodes, Executor executor, ReplicaPreference preference, RowMemory memory) {
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.preference = preference;
    this.memory = memory;
  }

  /**
   * Encodes one stripe; waits for memory first. When this returns or throws, all outputs are
   * closed, nothing is left open and nothing runs any more; what was written before a failure is to
   * be thrown away.
   *
   * @param layout with the α of the codec
   * @param data units 0 to d-1 with 1 &le; d &le; k; the others are absent
   * @param parity one output for each of the m parity units; all are closed here, at once, as
   *     closing one takes the time of a block report
   * @param bytesRead called after each row, by the calling thread, with the bytes it read from
   *     DataNodes; may wait, to keep to a rate
   * @throws UnitUnreadableException when no live replica of a data unit can be read
   * @throws java.io.InterruptedIOException when the calling thread is interrupted; its flag is set
   */
  public EncodedStripe encode(
      ErasureCodec codec,
      RowLayout layout,
      List<LocatedBlock> data,
      List<UnitOutput> parity,
      LongConsumer bytesRead)
      throws IOException {
    EncodedStripe encoded;
    try (EncodingPass pass =
        new EncodingPass(dataNodes, preference, codec, layout, data, parity, bytesRead)) {
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
