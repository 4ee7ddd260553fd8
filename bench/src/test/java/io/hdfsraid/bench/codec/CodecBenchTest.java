// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hdfsraid.bench.codec.CellBuffers.Memory;
import io.hdfsraid.bench.measure.InterleavedRun;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.measure.TaskSpeed;
import io.hdfsraid.bench.measure.WrongResultException;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class CodecBenchTest {
  private static final Cell CELL = Cell.parse("4KiB");
  private static final Percentage ROUNDING = Percentage.withPercentage(0.001);

  private static final InterleavedRun.Listener NOBODY =
      new InterleavedRun.Listener() {
        @Override
        public void warm(int tasks) {}

        @Override
        public void measured() {}
      };

  /** One kernel that is there, and one that is not. */
  private static final class TwoKernels implements KernelSwitch {
    private final List<String> used = new ArrayList<>();

    @Override
    public List<String> names() {
      return List.of("portable", "isa-l");
    }

    @Override
    public Optional<String> problem(String name) {
      return name.equals("isa-l") ? Optional.of("there is no libisal") : Optional.empty();
    }

    @Override
    public Optional<String> detail(String name) {
      return name.equals("isa-l") ? Optional.empty() : Optional.of("in detail");
    }

    @Override
    public void use(String name) {
      assertThat(name).isNotEqualTo("isa-l");
      used.add(name);
    }
  }

  private final TwoKernels kernels = new TwoKernels();

  private List<Row> rows(ErasureCodec... codecs) {
    CodecBench bench =
        new CodecBench(
            new CodecBench.Settings(List.of(codecs), kernels.names(), List.of(CELL), Memory.DIRECT),
            kernels);
    Map<String, TaskSpeed> outcomes =
        new InterleavedRun(new InterleavedRun.Pace(1, 1, 0), InterleavedRun.Clocks.ofThread())
            .run(bench.groups(), NOBODY);
    return bench.rows(outcomes);
  }

  private static List<String> names(List<Row> rows) {
    return rows.stream().map(Row::name).toList();
  }

  @Test
  void aKernelThatIsAbsentHasRowsThatSayWhy() {
    List<Row> rows = rows(Codecs.parse("rs-3-2"));
    assertThat(names(rows))
        .containsExactly(
            "rs-3-2 encode 4KiB portable",
            "rs-3-2 decode1 4KiB portable",
            "rs-3-2 decodem 4KiB portable",
            "rs-3-2 encode 4KiB isa-l",
            "rs-3-2 decode1 4KiB isa-l",
            "rs-3-2 decodem 4KiB isa-l",
            "rs-3-2 plan");
    assertThat(rows)
        .filteredOn(row -> row.name().endsWith("isa-l"))
        .hasSize(3)
        .allSatisfy(
            row -> {
              assertThat(row.value()).isNull();
              assertThat(row.note()).isEqualTo("absent: there is no libisal");
            });
    assertThat(kernels.used).contains("scalar", "portable");
  }

  @Test
  void everyCodecIsBesideHadoopsCoderOfItsShapeOrOfTheUsualOne() {
    assertThat(
            rows(Codecs.parse("rs-6-3"), Codecs.parse("lrc-azure-6-2-2")).stream()
                .filter(row -> row.peer() != null))
        .extracting(Row::name, Row::peer)
        .containsExactly(
            tuple("rs-6-3 encode 4KiB portable", "hadoop rs-6-3 encode 4KiB"),
            tuple("rs-6-3 decode1 4KiB portable", "hadoop rs-6-3 decode1 4KiB"),
            tuple("rs-6-3 decodem 4KiB portable", "hadoop rs-6-3 decodem 4KiB"),
            tuple("lrc-azure-6-2-2 encode 4KiB portable", "hadoop rs-10-4 encode 4KiB"),
            tuple("lrc-azure-6-2-2 decode1 4KiB portable", "hadoop rs-10-4 decode1 4KiB"),
            tuple("lrc-azure-6-2-2 decodem 4KiB portable", "hadoop rs-10-4 decodem 4KiB"));
  }

  @Test
  void goalsStandAtTheirRows() {
    List<Row> rows = rows(Codecs.parse("rs-10-4"), Codecs.parse("lrc-xorbas-10-6"));
    assertThat(rows.stream().filter(row -> row.goal() != null))
        .extracting(Row::name, Row::goal)
        .containsExactly(
            tuple("rs-10-4 encode 4KiB portable", 8.0),
            tuple("rs-10-4 plan", 100000.0),
            tuple("lrc-xorbas-10-6 plan", 100000.0),
            tuple("lrc-xorbas-10-6 repair 4KiB portable", 3.0));
    assertThat(rows).filteredOn(Row::isAbsent).allMatch(row -> row.met() == null);
  }

  @Test
  void asManyUnitsAreLostAsTheCodeBears() {
    List<Row> rows =
        rows(
            Codecs.parse("lrc-azure-6-2-2"),
            Codecs.parse("lrc-azure-12-4-2"),
            Codecs.parse("rs-3-2"));
    assertThat(rows.stream().filter(row -> row.name().contains("decodem 4KiB portable")))
        .extracting(Row::note)
        // The first six of (12,4,2) are two groups: only three are borne wherever they fall.
        .containsExactly("lost {0, 1, 2, 3}", "lost {0, 1, 2}", "lost {0, 1}");
  }

  @Test
  void theRepairRowsCountTheRebuiltUnitAndNotWhatIsRead() {
    List<Row> rows = rows(Codecs.parse("rs-10-4"), Codecs.parse("lrc-xorbas-10-6"));
    Row read = row(rows, "lrc-xorbas-10-6 decode1 4KiB portable");
    Row base = row(rows, "rs-10-4 decode1 4KiB portable");
    Row repair = row(rows, "lrc-xorbas-10-6 repair 4KiB portable");
    assertThat(repair.value()).isCloseTo(read.value() / 5, ROUNDING);
    assertThat(repair.peerValue()).isCloseTo(base.value() / 10, ROUNDING);
  }

  private static Row row(List<Row> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void theChartIsRelativeToVandermonde() {
    Samples vrs = Samples.of(2, 4);
    Map<String, TaskSpeed> outcomes =
        Map.of(
            "rs-vandermonde-10-4 encode 4KiB portable", new TaskSpeed(vrs, Optional.empty()),
            "crs-good-10-4 encode 4KiB portable",
                new TaskSpeed(Samples.of(6, 12), Optional.empty()));
    List<Row> rows =
        new CodecChart(CELL, Map.of("isa-l", Optional.of("there is no libisal")), outcomes).rows();
    assertThat(names(rows))
        .containsExactly("chart VRS encode", "chart CRS2 encode", "chart ISA-L encode");
    assertThat(rows.get(1).peer()).isEqualTo("VRS");
    assertThat(rows.get(1).ratio()).isEqualTo(3);
    assertThat(rows.get(2).isAbsent()).isTrue();
  }

  /** The given codec, except that from its second use on one bit of parity is wrong. */
  private static ErasureCodec oneBitWrong(ErasureCodec codec) {
    AtomicInteger encoded = new AtomicInteger();
    return (ErasureCodec)
        Proxy.newProxyInstance(
            ErasureCodec.class.getClassLoader(),
            new Class<?>[] {ErasureCodec.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(codec, arguments);
              if (method.getName().equals("encode") && encoded.getAndIncrement() > 0) {
                ByteBuffer[] parity = (ByteBuffer[]) arguments[1];
                ByteBuffer last = parity[parity.length - 1];
                int at = last.limit() - 1;
                last.put(at, (byte) (last.get(at) ^ 1));
              }
              return result;
            });
  }

  @Test
  void aCodecWithOneWrongParityBitIsNotMeasured() {
    assertThatThrownBy(() -> rows(oneBitWrong(Codecs.parse("rs-3-2"))))
        .isInstanceOf(WrongResultException.class)
        .hasMessage(
            "rs-3-2 encode 4KiB portable gave a wrong result: byte 4095 of unit 4 is not the one of"
                + " the reference");
  }

  @Test
  void cellsThatCannotBeCutIntoEqualAlignedChunksAreALittleSmaller() {
    assertThat(Cell.parse("64KiB").chunk(1)).isEqualTo(64 << 10);
    assertThat(Cell.parse("1MiB").chunk(4)).isEqualTo(256 << 10);
    assertThat(Cell.parse("64KiB").chunk(3)).isEqualTo(21824);
  }

  @Test
  void sizesThatAreNoneAreRefused() {
    Stream.of("64", "0KiB", "64kib", "-1MiB", "1GiB", "65MiB", "")
        .forEach(
            size ->
                assertThatThrownBy(() -> Cell.parse(size))
                    .as(size)
                    .isInstanceOf(IllegalArgumentException.class));
  }
}
