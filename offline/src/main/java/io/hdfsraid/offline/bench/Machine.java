package io.hdfsraid.offline.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where something was measured.
 *
 * @param cpu the model, as the operating system calls it
 * @param cores that this process may use
 * @param flags that the JVM was started with
 * @param loadAverage how many processes wanted to run, in the mean over a minute; negative when it
 *     is not known
 */
record Machine(
    String cpu, int cores, String os, String jdk, List<String> flags, double loadAverage) {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");

  /** This one, now. */
  static Machine here() {
    var os = ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        cpuModel(),
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

  private static String cpuModel() {
    try (Stream<String> lines = Files.lines(CPUINFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(Machine::architecture);
    } catch (IOException e) {
      // Not Linux.
      return architecture();
    }
  }

  private static String architecture() {
    return System.getProperty("os.arch");
  }

  /** A line or two for people. */
  List<String> lines() {
    return List.of(
        "Machine: %s, %d cores, load average %s".formatted(cpu, cores, load()),
        "System: %s; %s; flags: %s"
            .formatted(os, jdk, flags.isEmpty() ? "none" : String.join(" ", flags)));
  }

  private String load() {
    return loadAverage < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", loadAverage);
  }
}
