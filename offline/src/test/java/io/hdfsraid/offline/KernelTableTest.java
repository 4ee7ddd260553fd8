package io.hdfsraid.offline;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.KernelReport;
import io.hdfsraid.erasurecode.KernelReport.Choice;
import io.hdfsraid.erasurecode.KernelReport.Entry;
import io.hdfsraid.erasurecode.KernelReport.State;
import io.hdfsraid.erasurecode.MatrixKind;
import io.hdfsraid.raidshell.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KernelTableTest {
  private static Stream<String> shown(KernelReport report) {
    StringWriter out = new StringWriter();
    new KernelTable(report).show(new Screen(new PrintWriter(out)));
    return out.toString().lines().map(line -> line.replaceAll(" {2,}", "|"));
  }

  private static Entry kernel(
      String name, State state, String problem, Map<MatrixKind, Double> speeds) {
    return new Entry(
        name,
        state,
        problem.isEmpty() ? Optional.of("what " + name + " is") : Optional.empty(),
        problem.isEmpty() ? Optional.empty() : Optional.of(problem),
        speeds);
  }

  @Test
  void whatIsThereWhatIsChosenAndWhyIsSaid() {
    assertThat(
            shown(
                new KernelReport(
                    List.of(
                        kernel(
                            "portable",
                            State.RIGHT,
                            "",
                            Map.of(MatrixKind.GENERAL, 5.04, MatrixKind.BINARY, 9.96)),
                        kernel("native", State.RIGHT, "", Map.of(MatrixKind.GENERAL, 12.0)),
                        kernel("vector", State.UNAVAILABLE, "no such module", Map.of()),
                        kernel("broken", State.WRONG, "byte 7 is wrong", Map.of()),
                        kernel("scalar", State.UNTESTED, "", Map.of())),
                    Map.of(
                        MatrixKind.GENERAL, new Choice("native", "twice as fast"),
                        MatrixKind.BINARY, new Choice("portable", "nothing else can")))))
        .containsExactly(
            "KERNEL|STATE|GENERAL|BINARY|IN USE FOR|DETAIL",
            "portable|right bytes|5.0|10.0|binary|what portable is",
            "native|right bytes|12.0|-|general|what native is",
            "vector|absent|-|-|-|-",
            "broken|WRONG BYTES|-|-|-|-",
            "scalar|untested|-|-|-|what scalar is",
            "vector: no such module",
            "broken: byte 7 is wrong",
            "",
            "GENERAL and BINARY: GB/s of input on one thread, for matrices of any coefficients and of"
                + " zeros and ones.",
            "In use for general matrices: native (twice as fast)",
            "In use for binary matrices: portable (nothing else can)");
  }

  @Test
  void oneKernelMayBeInUseForAll() {
    assertThat(
            shown(
                new KernelReport(
                    List.of(kernel("scalar", State.RIGHT, "", Map.of())),
                    Map.of(
                        MatrixKind.GENERAL, new Choice("scalar", "named"),
                        MatrixKind.BINARY, new Choice("scalar", "named")))))
        .contains("scalar|right bytes|-|-|general, binary|what scalar is");
  }
}
