// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.kernel.KernelReport;
import io.hdfsraid.erasurecode.kernel.KernelReport.Choice;
import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.KernelReport.State;
import io.hdfsraid.erasurecode.kernel.MatrixKind;
import io.hdfsraid.raidshell.command.Screen;
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

  private static Entry kernel(String name, State state, String problem) {
    return new Entry(
        name,
        state,
        problem.isEmpty() ? Optional.of("what " + name + " is") : Optional.empty(),
        problem.isEmpty() ? Optional.empty() : Optional.of(problem));
  }

  @Test
  void whatIsThereWhatIsChosenAndWhyIsSaid() {
    assertThat(
            shown(
                new KernelReport(
                    List.of(
                        kernel("portable", State.RIGHT, ""),
                        kernel("native", State.RIGHT, ""),
                        kernel("vector", State.UNAVAILABLE, "no such module"),
                        kernel("broken", State.WRONG, "byte 7 is wrong"),
                        kernel("scalar", State.UNTESTED, "")),
                    Map.of(
                        MatrixKind.GENERAL, new Choice("native", "the first that can"),
                        MatrixKind.BINARY, new Choice("portable", "nothing else can")))))
        .containsExactly(
            "KERNEL|STATE|IN USE FOR|DETAIL",
            "portable|right bytes|binary|what portable is",
            "native|right bytes|general|what native is",
            "vector|absent|-|-",
            "broken|WRONG BYTES|-|-",
            "scalar|untested|-|what scalar is",
            "vector: no such module",
            "broken: byte 7 is wrong",
            "",
            "Binary matrices hold only zeros and ones. bin/raidshell bench codec measures speeds.",
            "In use for general matrices: native (the first that can)",
            "In use for binary matrices: portable (nothing else can)");
  }

  @Test
  void oneKernelMayBeInUseForAll() {
    assertThat(
            shown(
                new KernelReport(
                    List.of(kernel("scalar", State.RIGHT, "")),
                    Map.of(
                        MatrixKind.GENERAL, new Choice("scalar", "named"),
                        MatrixKind.BINARY, new Choice("scalar", "named")))))
        .contains("scalar|right bytes|general, binary|what scalar is");
  }
}
