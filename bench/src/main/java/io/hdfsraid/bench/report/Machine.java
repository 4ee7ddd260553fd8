// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The machine that a measurement ran on.
 *
 * @param cpu the model, as the operating system calls it
 * @param vectors the instruction sets it has of those that kernels are written for; empty where it
 *     does not tell
 * @param cores that this process may use
 * @param flags that the JVM was started with
 * @param loadAverage how many processes wanted to run, in the mean over a minute; negative when it
 *     is not known
 */
record Machine(
    String cpu,
    List<String> vectors,
    int cores,
    String os,
    String jdk,
    List<String> flags,
    double loadAverage) {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");

  private static final Set<String> VECTORS =
      Set.of("ssse3", "avx", "avx2", "avx512bw", "avx512vbmi", "gfni", "asimd", "sve");

  /** This one, now. */
  static Machine here() {
    var os = ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        cpuInfo("model name").orElseGet(() -> System.getProperty("os.arch")),
        Stream.of(cpuInfo("flags").or(() -> cpuInfo("Features")).orElse("").split(" ", -1))
            .filter(VECTORS::contains)
            .toList(),
        os.getAvailableProcessors(),
        "%s %s %s".formatted(os.getName(), os.getVersion(), os.getArch()),
        "%s %s, %s"
            .formatted(
                System.getProperty("java.vendor"),
                System.getProperty("java.runtime.version"),
                System.getProperty("java.vm.name")),
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> !flag.startsWith("-Dhdfsraid."))
            .toList(),
        os.getSystemLoadAverage());
  }

  /** What the first core says, on Linux. */
  private static Optional<String> cpuInfo(String key) {
    try (Stream<String> lines = Files.lines(CPUINFO)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** A line or two for people. */
  List<String> lines() {
    return List.of(
        "Machine: %s (%s), %d cores, load average %s"
            .formatted(cpu, String.join(" ", vectors), cores, load()),
        "System: %s; %s; flags: %s"
            .formatted(os, jdk, flags.isEmpty() ? "none" : String.join(" ", flags)));
  }

  private String load() {
    return loadAverage < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", loadAverage);
  }
}
