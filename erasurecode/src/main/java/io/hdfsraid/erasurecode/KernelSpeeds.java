package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.KernelReport.Choice;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How fast kernels are.
 *
 * @param byKernel gigabytes of input per second, by the name of the kernel; for each kind of matrix
 */
record KernelSpeeds(Map<String, Map<MatrixKind, Double>> byKernel) {
  /** How many times as fast as the preferred kernel another must be: less may be chance. */
  private static final double MARGIN = 1.2;

  KernelSpeeds {
    byKernel = Map.copyOf(byKernel);
  }

  /** Empty unless the kernel was measured. */
  Map<MatrixKind, Double> of(String kernel) {
    return byKernel.getOrDefault(kernel, Map.of());
  }

  /**
   * The fastest kernel, but the preferred one unless the fastest is clearly faster.
   *
   * @return empty when none was measured
   */
  Optional<Choice> choice(MatrixKind kind, String preferred) {
    Map<String, Double> others = new TreeMap<>();
    byKernel.forEach((name, speeds) -> others.put(name, speeds.get(kind)));
    Double usual = others.remove(preferred);
    Optional<String> fastest =
        others.keySet().stream().max(Comparator.comparingDouble(others::get));
    if (usual == null) {
      return fastest.map(name -> new Choice(name, preferred + " cannot be used"));
    }
    if (fastest.isEmpty()) {
      return Optional.of(new Choice(preferred, "no other can be used"));
    }
    double times = others.get(fastest.get()) / usual;
    return Optional.of(
        times >= MARGIN
            ? new Choice(fastest.get(), inWords("%.1f times as fast as %s", times, preferred))
            : new Choice(
                preferred, inWords("the next, %s, is %.1f times as fast", fastest.get(), times)));
  }

  private static String inWords(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
