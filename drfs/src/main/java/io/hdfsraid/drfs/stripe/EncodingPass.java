// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The encoding of one stripe by the {@link StripeEncoder}, row by row. */
final class EncodingPass implements RowPipeline.Rows, Closeable {
  /**
   * The length of a row of one unit, unless the chunks of the codec prescribe it. Measured with
   * rs-10-4: with half the length, threads wait more for each other. With rows of 1 MiB, coding
   * takes two to three times as long: the rows do not fit into the caches, and a thread that
   * computes for several milliseconds is preempted.
   */
  private static final int SHORT_ROW = 256 << 10;

  private final ErasureCodec codec;
  private final RowLayout layout;
  private final long stripeLength;
  private final List<LocatedBlock> blocks;
  private final List<UnitInput> inputs;
  private final List<UnitOutput> outputs;
  private final LongConsumer bytesRead;
  private final List<CRC32C> crcs;
  private final List<UnitDigest> digests;
  private final RowBuffers data;
  private final RowBuffers parity;
  private final RowBuffers zeros;

  /** Busy nanoseconds of the reading and writing threads, and the part spent on checksums. */
  private final LongAdder readBusy = new LongAdder();

  private final LongAdder readCrc = new LongAdder();
  private final LongAdder writeBusy = new LongAdder();
  private final LongAdder writeCrc = new LongAdder();

  EncodingPass(
      DataNodes dataNodes,
      ReplicaPreference preference,
      ErasureCodec codec,
      RowLayout layout,
      List<LocatedBlock> blocks,
      List<UnitOutput> outputs,
      LongConsumer bytesRead) {
    int k = codec.shape().dataUnits();
    int m = codec.shape().parityUnits();
    if (blocks.isEmpty()
        || blocks.size() > k
        || outputs.size() != m
        || layout.subUnits() != codec.subUnits()) {
      throw new IllegalArgumentException(
          "%s encodes 1 to %d data units into %d parity units in rows of %d chunks, but got %d, %d and %d"
              .formatted(
                  codec.name(),
                  k,
                  m,
                  codec.subUnits(),
                  blocks.size(),
                  outputs.size(),
                  layout.subUnits()));
    }
    this.codec = codec;
    this.layout = shortRows(layout);
    this.blocks = blocks;
    this.outputs = outputs;
    this.bytesRead = bytesRead;
    this.stripeLength =
        codec.parityLength(blocks.stream().mapToLong(b -> b.block().length()).max().orElseThrow());
    this.inputs =
        IntStream.range(0, blocks.size())
            .mapToObj(unit -> input(dataNodes, preference, unit, blocks.get(unit)))
            .toList();
    this.crcs = Stream.generate(CRC32C::new).limit(k + m).toList();
    long seed = ThreadLocalRandom.current().nextLong();
    this.digests =
        Stream.generate(() -> UnitDigest.ofWindows(this.layout, stripeLength, seed))
            .limit(k + m)
            .toList();
    int slots = Math.min(RowPipeline.SLOTS, count());
    int bytes = count() == 0 ? 0 : rowLength(0);
    this.data = new RowBuffers(slots, blocks.size(), bytes);
    this.parity = new RowBuffers(slots, m, bytes);
    this.zeros = new RowBuffers(Math.min(1, slots), blocks.size() < k ? 1 : 0, bytes);
  }

  /**
   * Shortens rows that consist of one chunk. The parity bytes do not depend on the row length then.
   */
  private static RowLayout shortRows(RowLayout layout) {
    return layout.subUnits() == 1 ? new RowLayout(1, Math.min(SHORT_ROW, layout.chunk())) : layout;
  }

  private static UnitInput input(
      DataNodes dataNodes, ReplicaPreference preference, int unit, LocatedBlock block) {
    return new UnitInput(
        dataNodes,
        unit,
        block,
        preference.order(block),
        List.of(new ByteRange(0, block.block().length())));
  }

  /** Returns the bytes of all row buffers. */
  long memory() {
    return data.memory() + parity.memory() + zeros.memory();
  }

  @Override
  public int count() {
    return Math.toIntExact(layout.rows(stripeLength));
  }

  private int rowLength(int row) {
    return layout.subUnits() * layout.chunkLength(row, stripeLength);
  }

  @Override
  public RowPipeline.PendingRead read(TaskGroup tasks, int row) throws IOException {
    return tasks.start(reads(row))::await;
  }

  private List<TaskGroup.Task> reads(int row) {
    long offset = (long) row * layout.rowBytes();
    List<TaskGroup.Task> tasks = new ArrayList<>();
    for (int unit = 0; unit < inputs.size(); unit++) {
      UnitInput input = inputs.get(unit);
      CRC32C crc = crcs.get(unit);
      UnitDigest digest = digests.get(unit);
      ByteBuffer buffer = data.get(row, unit, rowLength(row));
      tasks.add(
          () -> {
            Stopwatch laps = new Stopwatch();
            int own = input.read(offset, buffer.duplicate());
            long read = laps.next();
            crc.update(buffer.duplicate().limit(own));
            digest.add(offset, buffer.duplicate().limit(own));
            long summed = laps.next();
            readBusy.add(read + summed);
            readCrc.add(summed);
          });
    }
    return tasks;
  }

  @Override
  public void code(int row) {
    int length = rowLength(row);
    ByteBuffer[] from = new ByteBuffer[codec.shape().dataUnits()];
    for (int unit = 0; unit < from.length; unit++) {
      from[unit] = unit < inputs.size() ? data.get(row, unit, length) : zeros.get(row, 0, length);
    }
    ByteBuffer[] into = new ByteBuffer[outputs.size()];
    for (int p = 0; p < into.length; p++) {
      into[p] = parity.get(row, p, length);
    }
    codec.encode(from, into);
    bytesRead.accept(bytesOfRow(row));
  }

  private long bytesOfRow(int row) {
    long from = (long) row * layout.rowBytes();
    return blocks.stream()
        .mapToLong(block -> Math.max(0, Math.min(rowLength(row), block.block().length() - from)))
        .sum();
  }

  @Override
  public List<TaskGroup.Task> writes(int row) {
    long offset = (long) row * layout.rowBytes();
    List<TaskGroup.Task> tasks = new ArrayList<>();
    for (int p = 0; p < outputs.size(); p++) {
      UnitOutput output = outputs.get(p);
      CRC32C crc = crcs.get(codec.shape().dataUnits() + p);
      UnitDigest digest = digests.get(codec.shape().dataUnits() + p);
      ByteBuffer buffer = parity.get(row, p, rowLength(row));
      tasks.add(
          () -> {
            Stopwatch laps = new Stopwatch();
            crc.update(buffer.duplicate());
            digest.add(offset, buffer);
            long summed = laps.next();
            output.write(buffer);
            writeBusy.add(summed + laps.next());
            writeCrc.add(summed);
          });
    }
    return tasks;
  }

  /**
   * Returns the result, after a check that the parity is that of the data. A CRC cannot tell: it is
   * taken of whatever was computed.
   *
   * @throws WrongParityException if it is not
   */
  EncodedStripe result(RowPipeline.Times waited) throws WrongParityException {
    int k = codec.shape().dataUnits();
    Consistency digested =
        codec.verify(digests.stream().map(UnitDigest::row).toArray(ByteBuffer[]::new));
    if (digested.verdict() != Consistency.Verdict.CODEWORD) {
      throw new WrongParityException(
          codec.name(),
          blocks.stream().map(located -> located.block().toString()).toList().toString());
    }
    return new EncodedStripe(
        values(crcs.subList(0, inputs.size())),
        values(crcs.subList(k, crcs.size())),
        inputs.stream().map(UnitInput::current).toList(),
        inputs.stream().flatMap(input -> input.failed().stream()).toList(),
        EncodingTimes.of(waited, readBusy.sum(), readCrc.sum(), writeBusy.sum(), writeCrc.sum()));
  }

  private static List<Integer> values(List<CRC32C> crcs) {
    return crcs.stream().map(crc -> (int) crc.getValue()).toList();
  }

  @Override
  public void close() {
    inputs.forEach(UnitInput::close);
  }
}
