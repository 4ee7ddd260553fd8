// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeEncoderTest extends StripeFixture {
  private static final int CHUNK = 1024;
  private static final int BLOCK = 2_500;

  /** Less than a row of 1 MiB. */
  private static final int LONG_BLOCK = 600 << 10;

  private final StripeEncoder encoder =
      new StripeEncoder(cluster, threads, LocatedBlock::live, RowMemory.UNLIMITED);

  @ParameterizedTest(name = "{0}, {1} bytes")
  @CsvSource({
    "rs-10-4, 25000",
    "rs-10-4, 22501",
    "rs-6-3, 1",
    "rs-6-3, 2501",
    "rs-3-2, 5120",
    "lrc-xorbas-10-6, 12501",
    "lrc-azure-6-2-2, 14999",
    "xor-10-1, 24999"
  })
  void theParityIsThatOfTheWholeUnitsAtOnce(String name, int length) throws IOException {
    ErasureCodec codec = Codecs.parse(name);
    List<LocatedBlock> data = file(length, 2);
    List<Output> parity = outputs(codec);
    AtomicLong read = new AtomicLong();
    EncodedStripe encoded = encode(codec, data, parity, read::addAndGet);

    List<byte[]> units = wholeUnits(codec, data);
    for (int unit = 0; unit < data.size(); unit++) {
      assertThat(encoded.dataCrcs().get(unit))
          .isEqualTo(crc(units.get(unit), (int) data.get(unit).block().length()));
    }
    for (int p = 0; p < parity.size(); p++) {
      byte[] expected = units.get(codec.shape().dataUnits() + p);
      assertThat(parity.get(p).bytes.toByteArray()).as("parity %d", p).isEqualTo(expected);
      assertThat(encoded.parityCrcs().get(p)).isEqualTo(crc(expected, expected.length));
      assertThat(parity.get(p).closed).isTrue();
    }
    assertThat(read.get()).isEqualTo(length).isEqualTo(cluster.bytesRead());
    assertThat(cluster.opens()).as("each unit is read once").isEqualTo(data.size());
    assertThat(encoded.failed()).isEmpty();
    assertThat(encoded.readFrom()).hasSameSizeAs(data);
  }

  @Test
  void subPacketisedUnitsAreEncodedRowByRow() throws IOException {
    ErasureCodec codec = new TwoSubUnitCodec();
    List<LocatedBlock> data = file(BLOCK + 2_101, 1);
    List<Output> parity = outputs(codec);
    encode(codec, data, parity, read -> {});
    byte[] content = cluster.contentOf("/f");
    byte[] written = parity.get(0).bytes.toByteArray();
    assertThat(written).hasSize(BLOCK);
    // Row 0 has chunks of 1024 bytes, row 1 of (2500 - 2048) / 2.
    for (int[] row : new int[][] {{0, CHUNK}, {2 * CHUNK, 226}}) {
      for (int i = 0; i < row[1]; i++) {
        int b = row[0] + row[1] + i;
        assertThat(written[row[0] + i])
            .isEqualTo((byte) (content[row[0] + i] ^ second(content, b)));
      }
    }
  }

  @Test
  void aLongRowOfOneChunkIsWorkedOnInPieces() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<LocatedBlock> data = file(3 * LONG_BLOCK - 7, 1, LONG_BLOCK);
    List<Output> parity = outputs(codec);
    EncodedStripe encoded =
        encoder.encode(codec, codec.layout(), data, List.copyOf(parity), read -> {});

    List<byte[]> units = wholeUnits(codec, data);
    for (int p = 0; p < parity.size(); p++) {
      assertThat(parity.get(p).bytes.toByteArray()).isEqualTo(units.get(3 + p));
      assertThat(encoded.parityCrcs().get(p)).isEqualTo(crc(units.get(3 + p), LONG_BLOCK));
      assertThat(parity.get(p).arrays)
          .hasSize(2)
          .allSatisfy(array -> assertThat(array).hasSizeLessThanOrEqualTo(256 << 10));
    }
  }

  @Test
  void aLongRowOfSeveralChunksIsCutAsItsLayoutSays() throws IOException {
    ErasureCodec codec = new TwoSubUnitCodec();
    List<LocatedBlock> data = file(2 * LONG_BLOCK, 1, LONG_BLOCK);
    List<Output> parity = outputs(codec);
    EncodedStripe encoded =
        encoder.encode(codec, codec.layout(), data, List.copyOf(parity), read -> {});

    byte[] content = cluster.contentOf("/f");
    int chunk = LONG_BLOCK / 2;
    byte[] expected = new byte[LONG_BLOCK];
    for (int i = 0; i < chunk; i++) {
      expected[i] = (byte) (content[i] ^ content[3 * chunk + i]);
      expected[chunk + i] = (byte) (content[chunk + i] ^ content[2 * chunk + i]);
    }
    assertThat(parity.get(0).bytes.toByteArray()).isEqualTo(expected);
    assertThat(encoded.parityCrcs()).containsExactly(crc(expected, LONG_BLOCK));
  }

  private static int second(byte[] content, int offset) {
    return BLOCK + offset < content.length ? content[BLOCK + offset] : 0;
  }

  @Test
  void theNextReplicaTakesOverInMidStreamAndTheBadOneIsNamed() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<LocatedBlock> data = file(3 * BLOCK, 3);
    Replica first = data.get(1).live().get(0);
    cluster.corrupt(data.get(1).block().id(), first.node(), 2_100);
    List<Output> parity = outputs(codec);
    EncodedStripe encoded = encode(codec, data, parity, read -> {});
    assertThat(encoded.dataCrcs().get(1)).isEqualTo(crc(wholeUnits(codec, data).get(1), BLOCK));
    assertThat(parity.get(1).bytes.toByteArray()).isEqualTo(wholeUnits(codec, data).get(4));
    assertThat(encoded.failed())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.unit()).isEqualTo(1);
              assertThat(failed.replica()).isEqualTo(first);
              assertThat(failed.offset()).isEqualTo(2 * CHUNK);
              assertThat(failed.corrupt()).isTrue();
            });
    assertThat(encoded.readFrom().get(1)).isEqualTo(data.get(1).live().get(1));
  }

  @Test
  void aDeadNodeIsAFailedReplicaButNotACorruptOne() throws IOException {
    List<LocatedBlock> data = file(BLOCK, 2);
    DataNode away = data.get(0).live().get(0).node();
    cluster.kill(away);
    EncodedStripe encoded =
        encode(Codecs.parse("rs-3-2"), data, outputs(Codecs.parse("rs-3-2")), read -> {});
    assertThat(encoded.failed())
        .singleElement()
        .satisfies(failed -> assertThat(failed.corrupt()).isFalse());
  }

  @Test
  void aUnitWithoutReadableReplicaEndsItWithAllOutputsClosed() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<LocatedBlock> data = file(3 * BLOCK, 2);
    data.get(2)
        .live()
        .forEach(replica -> cluster.corrupt(data.get(2).block().id(), replica.node(), 2_499));
    List<Output> parity = outputs(codec);
    assertThatThrownBy(() -> encode(codec, data, parity, read -> {}))
        .isInstanceOfSatisfying(
            UnitUnreadableException.class,
            e -> {
              assertThat(e.unit()).isEqualTo(2);
              assertThat(e.failed()).hasSize(2).allMatch(FailedReplica::corrupt);
              assertThat(e.getSuppressed()).hasOnlyElementsOfType(CorruptReplicaException.class);
            })
        .hasMessageContaining("cannot be read from any of its 2 live replicas");
    assertThat(parity).allMatch(output -> output.closed);
  }

  @Test
  void theReplicaThatIsPreferredIsRead() throws IOException {
    List<LocatedBlock> data = file(3 * BLOCK, 3);
    ReplicaPreference last =
        block -> {
          List<Replica> reversed = new ArrayList<>(block.live());
          Collections.reverse(reversed);
          return reversed;
        };
    ErasureCodec codec = Codecs.parse("rs-3-2");
    EncodedStripe encoded =
        new StripeEncoder(cluster, threads, last, RowMemory.UNLIMITED)
            .encode(codec, new RowLayout(1, CHUNK), data, List.copyOf(outputs(codec)), read -> {});
    assertThat(encoded.readFrom())
        .isEqualTo(data.stream().map(block -> block.live().get(2)).toList());
  }

  @Test
  void aFailingOutputEndsItAlthoughReadsHang() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<LocatedBlock> data = file(3 * BLOCK, 1);
    DataNode slow = data.get(0).live().get(0).node();
    List<Output> parity = outputs(codec);
    IOException full = new IOException("no space");
    parity.get(1).beforeWrite =
        () -> {
          cluster.awaitBlockedReads(slow, 1);
          throw full;
        };
    AtomicBoolean first = new AtomicBoolean(true);
    assertThatThrownBy(
            () ->
                encode(
                    codec,
                    data,
                    parity,
                    read -> {
                      if (first.getAndSet(false)) {
                        cluster.slow(slow);
                      }
                    }))
        .isSameAs(full);
    assertThat(cluster.blockedReads()).isZero();
    assertThat(parity).allMatch(output -> output.closed);
  }

  @Test
  void aFailingCloseIsAFailureAndTheOthersAreClosedAllTheSame() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<Output> parity = outputs(codec);
    IOException lease = new IOException("lease expired");
    parity.get(0).beforeClose =
        () -> {
          throw lease;
        };
    List<LocatedBlock> data = file(3 * BLOCK, 1);
    assertThatThrownBy(() -> encode(codec, data, parity, read -> {})).isSameAs(lease);
    assertThat(parity.get(1).closed).isTrue();
  }

  @Test
  void allOutputsAreClosedAtOnce() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-10-4");
    List<Output> parity = outputs(codec);
    // No close ends before all four have begun.
    CyclicBarrier together = new CyclicBarrier(4);
    parity.forEach(
        output ->
            output.beforeClose =
                () -> {
                  try {
                    together.await(30, TimeUnit.SECONDS);
                  } catch (Exception e) {
                    throw new IOException("The outputs are closed one after another", e);
                  }
                });
    encode(codec, file(BLOCK, 1), parity, read -> {});
    assertThat(parity).allMatch(output -> output.closed);
  }

  @Test
  void allUnitsAreReadAtOnce() throws Exception {
    ErasureCodec codec = Codecs.parse("rs-6-3");
    List<LocatedBlock> data = file(6 * BLOCK, 1);
    List<DataNode> nodes = data.stream().map(block -> block.live().get(0).node()).toList();
    nodes.forEach(cluster::slow);
    Thread caller =
        new Thread(
            () -> {
              try {
                encode(codec, data, outputs(codec), read -> {});
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    caller.start();
    for (DataNode node : Set.copyOf(nodes)) {
      cluster.awaitBlockedReads(node, Collections.frequency(nodes, node));
    }
    nodes.forEach(cluster::release);
    caller.join();
  }

  @Test
  void anInterruptEndsItAndIsKept() throws Exception {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<LocatedBlock> data = file(3 * BLOCK, 2);
    DataNode slow = data.get(0).live().get(0).node();
    cluster.slow(slow);
    List<Output> parity = outputs(codec);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              try {
                encode(codec, data, parity, read -> {});
              } catch (IOException e) {
                thrown.set(e);
              }
              flag.set(Thread.currentThread().isInterrupted());
            });
    caller.start();
    cluster.awaitBlockedReads(slow, 1);
    caller.interrupt();
    caller.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(flag).isTrue();
    assertThat(parity).allMatch(output -> output.closed);
    assertThat(cluster.blockedReads()).isZero();
  }

  @Test
  void atMostOneRowIsReadAheadAndBuffersAreUsedAgain() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    int rows = 40;
    List<LocatedBlock> data = file(3 * rows * CHUNK, 1, rows * CHUNK);
    List<Output> parity = outputs(codec);
    AtomicLong furthest = new AtomicLong();
    parity.get(0).beforeWrite =
        () -> {
          long written = parity.get(0).bytes.size();
          furthest.accumulateAndGet(cluster.bytesRead() / 3 - written, Math::max);
        };
    encode(codec, data, parity, read -> {});
    // While a row is written, the next is coded and the one after it read.
    assertThat(furthest.get()).isLessThanOrEqualTo(3 * CHUNK);
    assertThat(parity).allSatisfy(output -> assertThat(output.arrays).hasSizeLessThanOrEqualTo(2));
  }

  @Test
  void stripesForWhichThereIsNoMemoryWait() throws Exception {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    int rows = 8;
    List<LocatedBlock> data = file(3 * rows * CHUNK, 1, rows * CHUNK);
    // Two rows of all five units: memory for one stripe, but not for two.
    RowMemory forOne = new RowMemory(2L * 5 * CHUNK);
    StripeEncoder modest = new StripeEncoder(cluster, threads, LocatedBlock::live, forOne);
    AtomicInteger mostOpen = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    List<EncodedStripe> encoded = Collections.synchronizedList(new ArrayList<>());
    for (int stripe = 0; stripe < 6; stripe++) {
      List<Output> parity = outputs(codec);
      parity.get(0).beforeWrite = () -> mostOpen.accumulateAndGet(cluster.openInputs(), Math::max);
      callers.add(
          new Thread(
              () -> {
                try {
                  encoded.add(
                      modest.encode(
                          codec, new RowLayout(1, CHUNK), data, List.copyOf(parity), read -> {}));
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(encoded).hasSize(6);
    assertThat(mostOpen.get()).as("blocks of one stripe").isEqualTo(3);
  }

  @Test
  void aStripeThatIsNotTheCodecsIsRefusedAndTheOutputsClosed() throws IOException {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    List<Output> parity = outputs(codec);
    List<LocatedBlock> data = file(4 * BLOCK, 1);
    assertThatThrownBy(() -> encode(codec, data, parity, read -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rs-3-2 encodes 1 to 3 data units into 2 parity units");
    assertThat(parity).allMatch(output -> output.closed);
  }

  private EncodedStripe encode(
      ErasureCodec codec, List<LocatedBlock> data, List<Output> parity, LongConsumer bytesRead)
      throws IOException {
    return encoder.encode(
        codec, new RowLayout(codec.subUnits(), CHUNK), data, List.copyOf(parity), bytesRead);
  }

  private List<LocatedBlock> file(int length, int replication) {
    return file(length, replication, BLOCK);
  }

  private List<LocatedBlock> file(int length, int replication, int blockSize) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    cluster.createFile("/f", blockSize, bytes, replication);
    return cluster.file("/f").orElseThrow().blocks();
  }

  /** All k + m units, padded, by one call of the codec: right for α = 1 only. */
  private List<byte[]> wholeUnits(ErasureCodec codec, List<LocatedBlock> data) {
    int length =
        (int)
            codec.parityLength(
                data.stream().mapToLong(block -> block.block().length()).max().orElseThrow());
    byte[] content = cluster.contentOf("/f");
    List<byte[]> units = new ArrayList<>();
    for (int unit = 0; unit < codec.shape().units(); unit++) {
      byte[] bytes = new byte[length];
      if (unit < data.size()) {
        int block = (int) data.get(0).block().length();
        System.arraycopy(content, unit * block, bytes, 0, (int) data.get(unit).block().length());
      }
      units.add(bytes);
    }
    ByteBuffer[] buffers = units.stream().map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
    int k = codec.shape().dataUnits();
    codec.encode(
        IntStream.range(0, k).mapToObj(i -> buffers[i]).toArray(ByteBuffer[]::new),
        IntStream.range(k, buffers.length).mapToObj(i -> buffers[i]).toArray(ByteBuffer[]::new));
    return units;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static List<Output> outputs(ErasureCodec codec) {
    return IntStream.range(0, codec.shape().parityUnits()).mapToObj(p -> new Output()).toList();
  }

  /** Keeps what is written, and notices from which arrays it came. */
  private static final class Output implements UnitOutput {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
    TaskGroup.Task beforeWrite = () -> {};
    TaskGroup.Task beforeClose = () -> {};
    volatile boolean closed;

    @Override
    public void write(ByteBuffer source) throws IOException {
      beforeWrite.run();
      arrays.add(source.array());
      bytes.write(source.array(), source.arrayOffset() + source.position(), source.remaining());
      source.position(source.limit());
    }

    @Override
    public void close() throws IOException {
      beforeClose.run();
      closed = true;
    }
  }

  /** Bad memory, or a kernel that the compiler got wrong. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rs-6-3", "lrc-xorbas-10-6", "less-6-3", "hitchhiker-6-3", "crs-good-6-3"})
  void parityThatDoesNotBelongToItsDataIsNotReturned(String name) throws IOException {
    ErasureCodec codec = Codecs.parse(name);
    AtomicLong rows = new AtomicLong();
    ErasureCodec flipping =
        (ErasureCodec)
            Proxy.newProxyInstance(
                ErasureCodec.class.getClassLoader(),
                new Class<?>[] {ErasureCodec.class},
                (proxy, method, arguments) -> {
                  Object result = method.invoke(codec, arguments);
                  if (method.getName().equals("encode") && rows.getAndIncrement() == 0) {
                    ByteBuffer parity = ((ByteBuffer[]) arguments[1])[1];
                    int at = parity.position() + parity.remaining() / 3;
                    parity.put(at, (byte) (parity.get(at) ^ 1));
                  }
                  return result;
                });
    List<LocatedBlock> data = file(2 * BLOCK - 77, 2);
    assertThatThrownBy(() -> encode(flipping, data, outputs(codec), read -> {}))
        .isInstanceOf(WrongParityException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("coding.kernel");
    assertThat(encode(codec, data, outputs(codec), read -> {}).parityCrcs()).isNotEmpty();
  }

  /** Differences in so many bytes must not cancel each other out where bytes are summed up. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rs-6-3", "lrc-xorbas-10-6", "less-6-3", "hitchhiker-6-3", "crs-good-6-3"})
  void parityThatDiffersByTheSameInEveryByteIsNotReturned(String name) throws IOException {
    ErasureCodec codec = Codecs.parse(name);
    ErasureCodec flipping =
        (ErasureCodec)
            Proxy.newProxyInstance(
                ErasureCodec.class.getClassLoader(),
                new Class<?>[] {ErasureCodec.class},
                (proxy, method, arguments) -> {
                  Object result = method.invoke(codec, arguments);
                  if (method.getName().equals("encode")) {
                    ByteBuffer parity = ((ByteBuffer[]) arguments[1])[0];
                    for (int at = parity.position(); at < parity.limit(); at++) {
                      parity.put(at, (byte) (parity.get(at) ^ 1));
                    }
                  }
                  return result;
                });

    assertThatThrownBy(() -> encode(flipping, file(2 * BLOCK, 2), outputs(codec), read -> {}))
        .isInstanceOf(WrongParityException.class);
  }
}
