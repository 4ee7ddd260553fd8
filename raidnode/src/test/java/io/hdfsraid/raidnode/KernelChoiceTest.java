// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelReport;
import io.hdfsraid.erasurecode.kernel.KernelReport.Choice;
import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.KernelReport.State;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import io.hdfsraid.erasurecode.kernel.MatrixKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class KernelChoiceTest {
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(KernelChoice.class);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void restore() throws KernelUnavailableException {
    logger.detachAppender(log);
    logger.setLevel(null);
    CodingKernels.force("portable");
  }

  private List<String> lines() {
    return log.list.stream()
        .map(
            line ->
                "%s %s %s"
                    .formatted(
                        line.getLevel(), line.getFormattedMessage(), line.getKeyValuePairs()))
        .toList();
  }

  private static Entry entry(String name, State state, String detail, String problem) {
    return new Entry(name, state, Optional.ofNullable(detail), Optional.ofNullable(problem));
  }

  @Test
  void theLogTellsWhatIsUsedWhatItIsAndWhy() {
    KernelChoice.tell(
        new KernelReport(
            List.of(
                entry("portable", State.RIGHT, "plain Java", null),
                entry("isa-l", State.RIGHT, "ISA-L 2.30, avx512", null)),
            Map.of(
                MatrixKind.GENERAL, new Choice("isa-l", "the first that can be used here"),
                MatrixKind.BINARY, new Choice("portable", "the first that can be used here"))));
    assertThat(lines())
        .containsExactly(
            "INFO Coding kernels in use"
                + " [general=\"isa-l (ISA-L 2.30, avx512): the first that can be used here\","
                + " binary=\"portable (plain Java): the first that can be used here\"]");
  }

  @Test
  void whatCannotBeUsedIsToldWithWhatWouldHelpAndWrongBytesLoudly() {
    Choice portable = new Choice("portable", "no other can be used");
    KernelChoice.tell(
        new KernelReport(
            List.of(
                entry("portable", State.RIGHT, "plain Java", null),
                entry("isa-l", State.WRONG, "ISA-L 2.30", "row 1 is wrong"),
                entry("vector", State.UNAVAILABLE, null, "start Java with --add-modules")),
            Map.of(MatrixKind.GENERAL, portable, MatrixKind.BINARY, portable)));
    assertThat(lines())
        .hasSize(3)
        .contains(
            "ERROR A coding kernel gives wrong bytes [kernel=\"isa-l\", problem=\"row 1 is"
                + " wrong\"]",
            "INFO Coding kernels that cannot be used here [vector=\"start Java with"
                + " --add-modules\"]");
  }

  @Test
  void aNamedKernelIsInUseAtOnce() throws Exception {
    KernelChoice.begin("scalar");
    assertThat(lines()).hasSize(1);
    assertThat(lines().get(0)).contains("scalar", "the configuration asks for it");
  }

  @Test
  void aKernelThatThereIsNotIsNamed() {
    assertThatThrownBy(() -> KernelChoice.begin("fastest"))
        .isInstanceOf(KernelUnavailableException.class)
        .hasMessageStartingWith("There is no kernel fastest, which the configuration asks for");
  }
}
