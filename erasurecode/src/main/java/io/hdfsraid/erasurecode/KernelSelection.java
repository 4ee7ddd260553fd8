package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.Candidate.Finding;
import io.hdfsraid.erasurecode.Kernel.Multiplication;
import io.hdfsraid.erasurecode.KernelReport.Choice;
import io.hdfsraid.erasurecode.KernelReport.Entry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The kernels of a process, and which of them are in use: from the first use on the one that its
 * system property names, or else the preferred one, until another is chosen. Safe for concurrent
 * use.
 */
final class KernelSelection {
  static final String AUTO = "auto";

  private final List<Candidate> candidates;
  private final Kernel preferred;
  private final Kernel reference;
  private final Probe probe;
  private final Optional<String> property;

  /** Null until the first use. */
  private volatile Map<MatrixKind, Selected> inUse;

  /** Null until they are measured. */
  private volatile KernelSpeeds speeds;

  /** Measures kernels, by name. */
  @FunctionalInterface
  interface Probe {
    KernelSpeeds measure(Map<String, Function<CodingMatrix, Multiplication>> kernels);
  }

  /**
   * @param preferred in use unless another is asked for, untested, or where none is clearly faster
   * @param reference in use where no other gives the right bytes; never measured, as it is slow on
   *     purpose
   * @param property the value of the system property {@value Kernels#PROPERTY}
   */
  KernelSelection(
      List<Candidate> candidates,
      Kernel preferred,
      Kernel reference,
      Probe probe,
      Optional<String> property) {
    this.candidates = List.copyOf(candidates);
    this.preferred = preferred;
    this.reference = reference;
    this.probe = probe;
    this.property = property;
  }

  List<String> names() {
    return candidates.stream().map(Candidate::name).toList();
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
    if (inUse == null && property.isPresent()) {
      try {
        // Nobody waits for it here; who wants to know asks for a report.
        CompletableFuture<KernelReport> unused = choose(AUTO);
      } catch (KernelUnavailableException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }
    if (inUse == null) {
      inUse = both(new Selected(preferred, "nothing has asked for a choice"));
    }
    return inUse;
  }

  /** See {@link CodingKernels#choose}. */
  synchronized CompletableFuture<KernelReport> choose(String setting)
      throws KernelUnavailableException {
    String wanted = property.orElse(setting);
    if (!wanted.equals(AUTO)) {
      use(
          wanted,
          property.isPresent() ? "the system property " + Kernels.PROPERTY : "the configuration");
      return CompletableFuture.completedFuture(report());
    }
    if (inUse == null) {
      inUse = both(new Selected(preferred, "the choice is under way"));
    }
    return CompletableFuture.supplyAsync(this::useFastest, KernelSelection::inBackground);
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
    Candidate candidate =
        candidates.stream()
            .filter(known -> known.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new KernelUnavailableException(
                        "There is no kernel %s, which %s asks for: there are %s"
                            .formatted(name, who, String.join(", ", names()))));
    Finding finding = candidate.tried();
    Kernel kernel =
        finding
            .usable()
            .orElseThrow(
                () ->
                    new KernelUnavailableException(
                        "The kernel %s, which %s asks for, cannot be used: %s"
                            .formatted(name, who, finding.problem().orElseThrow())));
    inUse = both(new Selected(name, kernel, who + " asks for it"));
  }

  private synchronized KernelReport useFastest() {
    Map<String, Kernel> usable = new HashMap<>();
    for (Candidate candidate : candidates) {
      candidate.tried().usable().ifPresent(kernel -> usable.put(candidate.name(), kernel));
    }
    if (speeds == null) {
      Map<String, Function<CodingMatrix, Multiplication>> measured = new HashMap<>();
      usable.forEach((name, kernel) -> measured.put(name, kernel::prepare));
      measured.remove(reference.name());
      speeds = probe.measure(measured);
    }
    Map<MatrixKind, Selected> fastest = new EnumMap<>(MatrixKind.class);
    for (MatrixKind kind : MatrixKind.values()) {
      fastest.put(
          kind,
          speeds
              .choice(kind, preferred.name())
              .map(
                  choice ->
                      new Selected(choice.kernel(), usable.get(choice.kernel()), choice.reason()))
              .orElse(new Selected(reference, "no other can be used")));
    }
    inUse = fastest;
    return report();
  }

  /** See {@link CodingKernels#report}. */
  KernelReport report() {
    Map<MatrixKind, Choice> choices = new EnumMap<>(MatrixKind.class);
    Map<MatrixKind, Selected> current = inUse;
    if (current != null) {
      current.forEach((kind, selected) -> choices.put(kind, selected.choice()));
    }
    return new KernelReport(candidates.stream().map(this::entry).toList(), choices);
  }

  private Entry entry(Candidate candidate) {
    Finding finding = candidate.known();
    KernelSpeeds measured = speeds;
    return new Entry(
        candidate.name(),
        finding.state(),
        finding.kernel().map(Kernel::detail),
        finding.problem(),
        measured == null ? Map.of() : measured.of(candidate.name()));
  }

  private static Map<MatrixKind, Selected> both(Selected selected) {
    Map<MatrixKind, Selected> both = new EnumMap<>(MatrixKind.class);
    for (MatrixKind kind : MatrixKind.values()) {
      both.put(kind, selected);
    }
    return both;
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
