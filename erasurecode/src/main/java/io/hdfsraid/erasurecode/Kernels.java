package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.KernelReport.Choice;
import io.hdfsraid.erasurecode.KernelReport.Entry;
import io.hdfsraid.erasurecode.KernelReport.State;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernels this version has, and which of them are in use. */
final class Kernels {
  /** To add one: a line here, and its class in the {@code permits} of {@link Kernel}. */
  private static final List<Candidate> CANDIDATES =
      List.of(
          new Candidate("portable", PortableKernel::new),
          new Candidate(VectorKernel.NAME, VectorKernel::load),
          new Candidate("scalar", ScalarKernel::new));

  private static volatile Map<MatrixKind, Selected> inUse =
      both(new Selected(new PortableKernel(), "nothing has asked for a choice"));

  private Kernels() {}

  /** The kernel to use for matrices of the given kind, from now until another is chosen. */
  static Kernel chosenFor(MatrixKind kind) {
    return inUse.get(kind).kernel();
  }

  static List<String> names() {
    return CANDIDATES.stream().map(Candidate::name).toList();
  }

  static void force(String name) throws KernelUnavailableException {
    inUse = both(new Selected(candidate(name).kernel(), "it was asked for by name"));
  }

  private static Candidate candidate(String name) {
    return CANDIDATES.stream()
        .filter(candidate -> candidate.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no kernel %s: there are %s".formatted(name, names())));
  }

  static KernelReport report() {
    Map<MatrixKind, Choice> choices = new EnumMap<>(MatrixKind.class);
    inUse.forEach(
        (kind, selected) ->
            choices.put(kind, new Choice(selected.kernel().name(), selected.reason())));
    return new KernelReport(CANDIDATES.stream().map(Kernels::entry).toList(), choices);
  }

  private static Entry entry(Candidate candidate) {
    Optional<String> problem = candidate.problem();
    State state =
        candidate.loaded().isPresent()
            ? State.UNTESTED
            : problem.isPresent() ? State.UNAVAILABLE : State.UNTRIED;
    return new Entry(
        candidate.name(), state, candidate.loaded().map(Kernel::detail), problem, Map.of());
  }

  private static Map<MatrixKind, Selected> both(Selected selected) {
    Map<MatrixKind, Selected> both = new EnumMap<>(MatrixKind.class);
    for (MatrixKind kind : MatrixKind.values()) {
      both.put(kind, selected);
    }
    return both;
  }

  private record Selected(Kernel kernel, String reason) {}
}
