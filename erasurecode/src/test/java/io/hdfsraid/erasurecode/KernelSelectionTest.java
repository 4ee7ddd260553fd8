package io.hdfsraid.erasurecode;

import static io.hdfsraid.erasurecode.MatrixKind.BINARY;
import static io.hdfsraid.erasurecode.MatrixKind.GENERAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.KernelReport.Choice;
import io.hdfsraid.erasurecode.KernelReport.Entry;
import io.hdfsraid.erasurecode.KernelReport.State;
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

  /** What each test loaded, tested and measured, in this order. */
  private final List<String> done = new ArrayList<>();

  private final Map<String, String> unavailable = new HashMap<>();
  private final Map<String, String> faults = new HashMap<>();
  private final Map<String, Map<MatrixKind, Double>> speeds =
      new HashMap<>(
          Map.of(
              "portable", Map.of(GENERAL, 6.0, BINARY, 10.0),
              "fast", Map.of(GENERAL, 12.0, BINARY, 3.0)));

  private KernelSelection selection(String... property) {
    return new KernelSelection(
        List.of(
            candidate("portable", portable), candidate("fast", fast), candidate("scalar", scalar)),
        portable,
        scalar,
        kernels -> {
          done.add("measure " + String.join(" ", kernels.keySet().stream().sorted().toList()));
          speeds.keySet().retainAll(kernels.keySet());
          return new KernelSpeeds(speeds);
        },
        Arrays.stream(property).findFirst());
  }

  private Candidate candidate(String name, Kernel kernel) {
    return new Candidate(
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
  void whoAsksForNothingGetsThePortableKernelAndNothingIsLoadedTestedOrMeasured() {
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
    return new Entry(name, State.UNTESTED, Optional.empty(), Optional.empty(), Map.of());
  }

  @Test
  void whoAsksGetsTheFastestForEachKindOfMatrix() throws Exception {
    KernelSelection selection = selection();
    KernelReport report = chooseAuto(selection);
    assertThat(selection.chosenFor(GENERAL)).isSameAs(fast);
    assertThat(selection.chosenFor(BINARY)).isSameAs(portable);
    assertThat(report.inUse())
        .containsEntry(GENERAL, new Choice("fast", "2.0 times as fast as portable"))
        .containsEntry(BINARY, new Choice("portable", "the next, fast, is 0.3 times as fast"));
    assertThat(report.kernels())
        .containsExactly(
            right("portable", portable, Map.of(GENERAL, 6.0, BINARY, 10.0)),
            right("fast", fast, Map.of(GENERAL, 12.0, BINARY, 3.0)),
            right("scalar", scalar, Map.of()));
    assertThat(done)
        .containsExactly(
            "load portable",
            "test portable",
            "load fast",
            "test fast",
            "load scalar",
            "test scalar",
            "measure fast portable");
  }

  private static Entry right(String name, Kernel kernel, Map<MatrixKind, Double> speeds) {
    return new Entry(name, State.RIGHT, Optional.of(kernel.detail()), Optional.empty(), speeds);
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
    assertThat(report.inUse())
        .containsEntry(GENERAL, new Choice("portable", "no other can be used"));
    assertThat(report.kernels().get(1))
        .isEqualTo(
            new Entry(
                "fast",
                State.UNAVAILABLE,
                Optional.empty(),
                Optional.of("libfast.so is missing: install it"),
                Map.of()));
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
    assertThat(done).contains("measure portable");
    assertThatThrownBy(() -> selection.force("fast"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessageContaining("row 1 is wrong");
  }

  @Test
  void aKernelThatFailsInItsTestIsNeverUsed() throws Exception {
    Candidate failing =
        new Candidate(
            "failing",
            () -> fast,
            kernel -> {
              throw new UnsatisfiedLinkError("no such symbol");
            });
    assertThat(failing.tried().usable()).isEmpty();
    assertThat(failing.tried().state()).isEqualTo(State.WRONG);
    assertThat(failing.tried().problem().orElseThrow()).contains("no such symbol");
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
    assertThat(report.inUse()).containsEntry(BINARY, new Choice("scalar", "no other can be used"));
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
            "The kernel fast, which the configuration asks for, cannot be used: libfast.so is missing: install it");
    assertThatThrownBy(() -> selection.force("fest"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessage(
            "There is no kernel fest, which the program asks for: there are portable, fast, scalar");
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
              "The kernel fast, which the system property hdfsraid.kernel asks for, cannot be used: libfast.so is missing: install it");
    }
    assertThatThrownBy(() -> selection("fest").chosenFor(GENERAL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("There is no kernel fest, which the system property");
  }

  @Test
  void theSystemPropertyAutoChoosesFromTheFirstUseOn() throws Exception {
    KernelSelection selection = selection("auto");
    assertThat(selection.chosenFor(GENERAL)).isIn(portable, fast);
    assertThat(chooseAuto(selection).inUse().get(GENERAL).kernel()).isEqualTo("fast");
    assertThat(done).containsOnlyOnce("measure fast portable");
  }
}
