// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static io.hdfsraid.erasurecode.kernel.MatrixKind.BINARY;
import static io.hdfsraid.erasurecode.kernel.MatrixKind.GENERAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.kernel.KernelReport.Choice;
import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.KernelReport.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class KernelSelectionTest {
  private final Kernel portable = new PortableKernel();
  private final Kernel fast = new PortableKernel();
  private final Kernel scalar = new ScalarKernel();

  private static final String FIRST_GENERAL =
      "the first of fast, portable, scalar that can be used here";
  private static final String FIRST_BINARY =
      "the first of portable, fast, scalar that can be used here";

  /** What each test loaded and tested, in this order. */
  private final List<String> done = new ArrayList<>();

  private final Map<String, String> unavailable = new HashMap<>();
  private final Map<String, String> faults = new HashMap<>();

  private KernelSelection selection(String... property) {
    return new KernelSelection(
        List.of(
            candidate("portable", portable), candidate("fast", fast), candidate("scalar", scalar)),
        Map.of(
            GENERAL, List.of("fast", "portable", "scalar"),
            BINARY, List.of("portable", "fast", "scalar")),
        portable,
        Arrays.stream(property).findFirst());
  }

  private KernelCandidate candidate(String name, Kernel kernel) {
    return new KernelCandidate(
        name,
        () -> {
          done.add("load " + name);
          if (unavailable.containsKey(name)) {
            throw new KernelUnavailableException(unavailable.get(name));
          }
          return kernel;
        },
        loaded -> {
          done.add("test " + name);
          assertThat(loaded).isSameAs(kernel);
          return Optional.ofNullable(faults.get(name));
        });
  }

  private static KernelReport chooseAuto(KernelSelection selection)
      throws KernelUnavailableException,
          InterruptedException,
          ExecutionException,
          TimeoutException {
    return selection.choose("auto").get(1, TimeUnit.MINUTES);
  }

  @Test
  void whoAsksForNothingGetsThePortableKernelAndNothingIsLoadedOrTested() {
    KernelSelection selection = selection();
    assertThat(selection.report().inUse()).isEmpty();
    assertThat(selection.chosenFor(GENERAL)).isSameAs(portable);
    assertThat(selection.chosenFor(BINARY)).isSameAs(portable);
    assertThat(done).isEmpty();
    assertThat(selection.report().inUse())
        .containsEntry(GENERAL, new Choice("portable", "nothing has asked for a choice"));
    assertThat(selection.report().kernels())
        .containsOnly(untested("portable"), untested("fast"), untested("scalar"));
  }

  private static Entry untested(String name) {
    return new Entry(name, State.UNTESTED, Optional.empty(), Optional.empty());
  }

  @Test
  void whoAsksGetsTheFirstOfTheOrderForEachKindOfMatrix() throws Exception {
    KernelSelection selection = selection();
    KernelReport report = chooseAuto(selection);
    assertThat(selection.chosenFor(GENERAL)).isSameAs(fast);
    assertThat(selection.chosenFor(BINARY)).isSameAs(portable);
    assertThat(report.inUse())
        .containsEntry(GENERAL, new Choice("fast", FIRST_GENERAL))
        .containsEntry(BINARY, new Choice("portable", FIRST_BINARY));
    assertThat(report.kernels())
        .containsExactly(right("portable", portable), right("fast", fast), right("scalar", scalar));
    assertThat(done)
        .containsExactly(
            "load portable",
            "test portable",
            "load fast",
            "test fast",
            "load scalar",
            "test scalar");
  }

  private static Entry right(String name, Kernel kernel) {
    return new Entry(name, State.RIGHT, Optional.of(kernel.detail()), Optional.empty());
  }

  @Test
  void everythingIsDoneOnceHoweverOftenOneAsks() throws Exception {
    KernelSelection selection = selection();
    KernelReport first = chooseAuto(selection);
    List<String> once = List.copyOf(done);
    selection.force("scalar");
    assertThat(selection.chosenFor(GENERAL)).isSameAs(scalar);
    assertThat(chooseAuto(selection)).isEqualTo(first);
    assertThat(done).isEqualTo(once);
  }

  @Test
  void aKernelThatIsNotThereIsLeftOut() throws Exception {
    unavailable.put("fast", "libfast.so is missing: install it");
    KernelSelection selection = selection();
    KernelReport report = chooseAuto(selection);
    assertThat(selection.chosenFor(GENERAL)).isSameAs(portable);
    assertThat(report.inUse()).containsEntry(GENERAL, new Choice("portable", FIRST_GENERAL));
    assertThat(report.kernels().get(1))
        .isEqualTo(
            new Entry(
                "fast",
                State.UNAVAILABLE,
                Optional.empty(),
                Optional.of("libfast.so is missing: install it")));
  }

  @Test
  void aKernelThatGivesWrongBytesIsNeverUsed() throws Exception {
    faults.put("fast", "row 1 is wrong");
    KernelSelection selection = selection();
    KernelReport report = chooseAuto(selection);
    assertThat(selection.chosenFor(GENERAL)).isSameAs(portable);
    assertThat(selection.chosenFor(BINARY)).isSameAs(portable);
    Entry entry = report.kernels().get(1);
    assertThat(entry.state()).isEqualTo(State.WRONG);
    assertThat(entry.problem().orElseThrow()).contains("wrong bytes", "row 1 is wrong");
    assertThatThrownBy(() -> selection.force("fast"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessageContaining("row 1 is wrong");
  }

  @Test
  void aKernelThatFailsInItsTestIsNeverUsed() throws Exception {
    KernelCandidate failing =
        new KernelCandidate(
            "failing",
            () -> fast,
            kernel -> {
              throw new UnsatisfiedLinkError("no such symbol");
            });
    assertThat(failing.usable()).isEmpty();
    assertThat(failing.entry().state()).isEqualTo(State.WRONG);
    assertThat(failing.entry().problem().orElseThrow()).contains("no such symbol");
  }

  @Test
  void aWrongPortableKernelIsReplacedEvenByASlowerOne() throws Exception {
    faults.put("portable", "row 0 is wrong");
    KernelSelection selection = selection();
    assertThat(selection.chosenFor(BINARY)).isSameAs(portable);
    chooseAuto(selection);
    assertThat(selection.chosenFor(BINARY)).isSameAs(fast);

    faults.put("fast", "row 0 is wrong");
    KernelSelection another = selection();
    KernelReport report = chooseAuto(another);
    assertThat(another.chosenFor(BINARY)).isSameAs(scalar);
    assertThat(report.inUse()).containsEntry(BINARY, new Choice("scalar", FIRST_BINARY));
  }

  @Test
  void aKernelThatIsNamedIsTestedAndUsedForAllMatrices() throws Exception {
    KernelSelection selection = selection();
    KernelReport report = selection.choose("fast").getNow(null);
    assertThat(selection.chosenFor(GENERAL)).isSameAs(fast);
    assertThat(selection.chosenFor(BINARY)).isSameAs(fast);
    assertThat(report.inUse())
        .containsEntry(BINARY, new Choice("fast", "the configuration asks for it"));
    assertThat(done).containsExactly("load fast", "test fast");
  }

  @Test
  void aNamedKernelThatCannotBeUsedIsRefusedAndTheOneInUseStays() throws Exception {
    unavailable.put("fast", "libfast.so is missing: install it");
    KernelSelection selection = selection();
    selection.force("scalar");
    assertThatThrownBy(() -> selection.choose("fast"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessage(
            "The kernel fast, which the configuration asks for, cannot be used: libfast.so is"
                + " missing: install it");
    assertThatThrownBy(() -> selection.force("fest"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessage(
            "There is no kernel fest, which the program asks for: there are portable, fast,"
                + " scalar");
    assertThat(selection.chosenFor(GENERAL)).isSameAs(scalar);
  }

  @Test
  void theSystemPropertyCountsFromTheFirstUseOnAndGoesBeforeTheSetting() throws Exception {
    KernelSelection selection = selection("scalar");
    assertThat(done).isEmpty();
    assertThat(selection.chosenFor(GENERAL)).isSameAs(scalar);
    assertThat(selection.report().inUse())
        .containsEntry(
            GENERAL, new Choice("scalar", "the system property hdfsraid.kernel asks for it"));
    assertThat(chooseAuto(selection).inUse().get(GENERAL).kernel()).isEqualTo("scalar");
    selection.choose("fast").join();
    assertThat(selection.chosenFor(GENERAL)).isSameAs(scalar);
  }

  @Test
  void aSystemPropertyThatCannotBeFollowedIsNotPassedOverSilently() {
    unavailable.put("fast", "libfast.so is missing: install it");
    KernelSelection selection = selection("fast");
    for (int use = 0; use < 2; use++) {
      assertThatThrownBy(() -> selection.chosenFor(GENERAL))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "The kernel fast, which the system property hdfsraid.kernel asks for, cannot be used:"
                  + " libfast.so is missing: install it");
    }
    assertThatThrownBy(() -> selection("fest").chosenFor(GENERAL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("There is no kernel fest, which the system property");
    assertThatThrownBy(() -> selection("").chosenFor(GENERAL))
        .as("an empty name")
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theSystemPropertyAutoChoosesFromTheFirstUseOn() throws Exception {
    KernelSelection selection = selection("auto");
    assertThat(selection.chosenFor(GENERAL)).isIn(portable, fast);
    assertThat(chooseAuto(selection).inUse().get(GENERAL).kernel()).isEqualTo("fast");
    assertThat(done).containsOnlyOnce("test fast");
  }
}
