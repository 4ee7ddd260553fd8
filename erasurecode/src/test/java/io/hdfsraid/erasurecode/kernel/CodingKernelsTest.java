// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.KernelReport.State;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The kernels of this process and this machine. */
class CodingKernelsTest {
  @AfterEach
  void otherTestsUseTheKernelThatEverybodyHas() throws KernelUnavailableException {
    CodingKernels.force("portable");
  }

  @Test
  void everyKernelIsTestedHereAndNoneIsWrong() throws Exception {
    KernelReport report = CodingKernels.choose("auto").get(2, TimeUnit.MINUTES);
    Map<String, Entry> entries =
        report.kernels().stream().collect(Collectors.toMap(Entry::name, Function.identity()));
    assertThat(entries.keySet()).containsExactlyInAnyOrderElementsOf(CodingKernels.names());
    assertThat(entries.values())
        .allSatisfy(entry -> assertThat(entry.state()).isIn(State.RIGHT, State.UNAVAILABLE));
    for (String name : List.of("portable", "scalar")) {
      assertThat(entries.get(name).state()).as(name).isEqualTo(State.RIGHT);
    }
    assertThat(report.inUse()).containsOnlyKeys(MatrixKind.values());
  }

  @Test
  void everyKindOfKernelIsACandidate() {
    assertThat(CodingKernels.names())
        .hasSameSizeAs(Arrays.asList(Kernel.class.getPermittedSubclasses()));
    assertThat(CodingKernels.settings()).startsWith("auto").containsAll(CodingKernels.names());
  }

  @Test
  void aForcedKernelIsTheOneThatCodecsUse() throws Exception {
    CodingKernels.force("scalar");
    assertThat(CodingKernels.report().inUse().values())
        .extracting(KernelReport.Choice::kernel)
        .containsOnly("scalar");
    assertThat(CodingKernels.ofThisProcess().chosenFor(MatrixKind.BINARY))
        .isInstanceOf(ScalarKernel.class);
    assertThatThrownBy(() -> CodingKernels.force("fastest"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessageContaining("There is no kernel fastest");
  }
}
