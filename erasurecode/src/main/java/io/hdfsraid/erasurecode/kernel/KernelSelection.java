// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.kernel.KernelReport.Choice;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The kernels of a process, and which of them are in use: from the first use on the one that the
 * system property names, or else the default, until another is chosen. Safe for concurrent use.
 */
final class KernelSelection {
  static final String AUTO = "auto";

  /** The system property that names the kernel of a process, or says {@value #AUTO}. */
  static final String PROPERTY = "hdfsraid.kernel";

  private static final String OF_PROPERTY = "the system property " + PROPERTY;

  private final List<KernelCandidate> candidates;
  private final Map<MatrixKind, List<String>> preference;
  private final Kernel initial;
  private final Optional<String> property;

  /** Null before the first use. */
  private volatile Map<MatrixKind, Selected> inUse;

  /**
   * @param preference names of candidates, fastest first; the last must be one that works anywhere
   * @param initial in use, untested, as long as nothing has asked for a choice
   * @param property the value of the system property {@value #PROPERTY}
   */
  KernelSelection(
      List<KernelCandidate> candidates,
      Map<MatrixKind, List<String>> preference,
      Kernel initial,
      Optional<String> property) {
    this.candidates = List.copyOf(candidates);
    this.preference = Map.copyOf(preference);
    this.initial = initial;
    this.property = property;
  }

  List<String> names() {
    return candidates.stream().map(KernelCandidate::name).toList();
  }

  /**
   * The kernel to use for matrices of the given kind, from now until another is chosen.
   *
   * @throws IllegalStateException when the system property names one that cannot be used
   */
  Kernel chosenFor(MatrixKind kind) {
    Map<MatrixKind, Selected> current = inUse;
    return (current != null ? current : begin()).get(kind).kernel();
  }

  private synchronized Map<MatrixKind, Selected> begin() {
    if (inUse == null) {
      if (property.isEmpty()) {
        inUse = forAll(new Selected(initial, "nothing has asked for a choice"));
      } else if (property.get().equals(AUTO)) {
        beginChoice();
        inBackground(this::useFirstThatPasses);
      } else {
        try {
          use(property.get(), OF_PROPERTY);
        } catch (KernelUnavailableException e) {
          throw new IllegalStateException(e.getMessage(), e);
        }
      }
    }
    return inUse;
  }

  /** See {@link CodingKernels#choose}. */
  synchronized CompletableFuture<KernelReport> choose(String setting)
      throws KernelUnavailableException {
    String wanted = property.orElse(setting);
    if (!wanted.equals(AUTO)) {
      use(wanted, property.isPresent() ? OF_PROPERTY : "the configuration");
      return CompletableFuture.completedFuture(report());
    }
    beginChoice();
    return CompletableFuture.supplyAsync(this::useFirstThatPasses, KernelSelection::inBackground);
  }

  private void beginChoice() {
    if (inUse == null) {
      inUse = forAll(new Selected(initial, "the choice is under way"));
    }
  }

  private static void inBackground(Runnable work) {
    Thread thread = new Thread(work, "choice of the coding kernels");
    thread.setDaemon(true);
    thread.start();
  }

  /** See {@link CodingKernels#force}. */
  synchronized void force(String name) throws KernelUnavailableException {
    use(name, "the program");
  }

  private void use(String name, String who) throws KernelUnavailableException {
    KernelCandidate candidate =
        candidate(name)
            .orElseThrow(
                () ->
                    new KernelUnavailableException(
                        "There is no kernel %s, which %s asks for: there are %s"
                            .formatted(name, who, String.join(", ", names()))));
    Kernel kernel =
        candidate
            .usable()
            .orElseThrow(
                () ->
                    new KernelUnavailableException(
                        "The kernel %s, which %s asks for, cannot be used: %s"
                            .formatted(name, who, candidate.entry().problem().orElseThrow())));
    inUse = forAll(new Selected(name, kernel, who + " asks for it"));
  }

  private Optional<KernelCandidate> candidate(String name) {
    return candidates.stream().filter(known -> known.name().equals(name)).findFirst();
  }

  /** Tests all candidates, so that the report covers all. */
  private synchronized KernelReport useFirstThatPasses() {
    candidates.forEach(KernelCandidate::usable);
    Map<MatrixKind, Selected> chosen = new EnumMap<>(MatrixKind.class);
    preference.forEach((kind, order) -> chosen.put(kind, firstThatPasses(order)));
    inUse = chosen;
    return report();
  }

  private Selected firstThatPasses(List<String> order) {
    String reason = "the first of %s that can be used here".formatted(String.join(", ", order));
    return order.stream()
        .flatMap(
            name ->
                candidate(name)
                    .flatMap(KernelCandidate::usable)
                    .map(kernel -> new Selected(name, kernel, reason))
                    .stream())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("None of %s can be used".formatted(order)));
  }

  /** See {@link CodingKernels#report}. */
  KernelReport report() {
    Map<MatrixKind, Choice> choices = new EnumMap<>(MatrixKind.class);
    Map<MatrixKind, Selected> current = inUse;
    if (current != null) {
      current.forEach((kind, selected) -> choices.put(kind, selected.choice()));
    }
    return new KernelReport(candidates.stream().map(KernelCandidate::entry).toList(), choices);
  }

  private static Map<MatrixKind, Selected> forAll(Selected selected) {
    Map<MatrixKind, Selected> all = new EnumMap<>(MatrixKind.class);
    for (MatrixKind kind : MatrixKind.values()) {
      all.put(kind, selected);
    }
    return all;
  }

  /**
   * @param reason in words
   */
  private record Selected(String name, Kernel kernel, String reason) {
    Selected(Kernel kernel, String reason) {
      this(kernel.name(), kernel, reason);
    }

    Choice choice() {
      return new Choice(name, reason);
    }
  }
}
