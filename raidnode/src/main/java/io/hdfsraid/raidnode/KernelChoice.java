// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelReport;
import io.hdfsraid.erasurecode.kernel.KernelReport.Choice;
import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.KernelReport.State;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import io.hdfsraid.erasurecode.kernel.MatrixKind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Chooses the kernels of the codecs and logs the choice. */
final class KernelChoice {
  private static final Logger LOG = LoggerFactory.getLogger(KernelChoice.class);

  private KernelChoice() {}

  /**
   * Delays nothing for {@code auto}: the kernels are tested in the background. All kernels give the
   * same bytes, so stripes that are encoded meanwhile are right.
   *
   * @param setting {@code auto} or the name of one
   * @throws KernelUnavailableException when the one that is named cannot be used
   */
  static void begin(String setting) throws KernelUnavailableException {
    CompletableFuture<Void> unused =
        CodingKernels.choose(setting)
            .thenAccept(KernelChoice::tell)
            .exceptionally(
                failure -> {
                  LOG.error(
                      "The coding kernels could not be tested; what is in use stays", failure);
                  return null;
                });
  }

  static void tell(KernelReport report) {
    for (Entry kernel : report.kernels()) {
      if (kernel.state() == State.WRONG) {
        LOG.atError()
            .addKeyValue("kernel", kernel.name())
            .addKeyValue("problem", kernel.problem().orElseThrow())
            .log("A coding kernel gives wrong bytes");
      }
    }
    LOG.atInfo()
        .addKeyValue("general", inUse(report, MatrixKind.GENERAL))
        .addKeyValue("binary", inUse(report, MatrixKind.BINARY))
        .log("Coding kernels in use");
    if (report.kernels().stream().anyMatch(kernel -> kernel.state() == State.UNAVAILABLE)) {
      LoggingEventBuilder line = LOG.atInfo();
      for (Entry kernel : report.kernels()) {
        if (kernel.state() == State.UNAVAILABLE) {
          line = line.addKeyValue(kernel.name(), kernel.problem().orElseThrow());
        }
      }
      line.log("Coding kernels that cannot be used here");
    }
  }

  /**
   * For example: isa-l (ISA-L 2.30, avx512), the first of vector, isa-l, portable, scalar that can
   * be used here.
   */
  private static String inUse(KernelReport report, MatrixKind kind) {
    Choice choice = report.inUse().get(kind);
    String detail =
        report.kernels().stream()
            .filter(kernel -> kernel.name().equals(choice.kernel()))
            .map(Entry::detail)
            .flatMap(Optional::stream)
            .findFirst()
            .map(words -> " (" + words + ")")
            .orElse("");
    return "%s%s: %s".formatted(choice.kernel(), detail, choice.reason());
  }
}
