// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Lets another process load and use a native library before this process does, because a broken
 * library takes its process down and Java cannot prevent that.
 *
 * @param javaHome the Java installation whose {@code bin/java} runs the other process
 * @param classPath the jars or folders of {@link TrialMain} and of JNA
 * @param limit how long the other process may take before it is killed
 */
record LibraryTrial(Path javaHome, List<Path> classPath, Duration limit) {
  private static final int MOST_OUTPUT = 64 * 1024;
  private static final int MOST_QUOTED = 300;

  // When the process has ended, only its children can still keep its output open.
  private static final long PATIENCE_MILLIS = 1000;

  // These options are for this process: a second JVM with the same debugger port would not start.
  private static final Set<String> OPTIONS =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  /**
   * @param library an absolute path, or a name that the system's linker searches
   * @throws KernelUnavailableException with what happened, when there was anything wrong with it
   */
  IsaFacts run(String library) throws KernelUnavailableException {
    Path java = java();
    Process process = start(java, library);
    // An interrupt does not end the wait, because the answer is kept as long as this process lives.
    CompletableFuture<List<String>> output =
        CompletableFuture.supplyAsync(() -> lines(process), LibraryTrial::run);
    boolean ended =
        process
            .onExit()
            .thenApply(exited -> true)
            .completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS)
            .join();
    if (!ended) {
      process.destroyForcibly();
    }
    List<String> lines =
        output.completeOnTimeout(List.of(), PATIENCE_MILLIS, TimeUnit.MILLISECONDS).join();
    if (!ended) {
      throw unusable(
          library,
          "was tried in another process, which had not ended after %d ms and was killed"
              .formatted(limit.toMillis()),
          lines);
    }
    Optional<String> problem = TrialMain.problem(lines);
    if (problem.isPresent()) {
      throw new KernelUnavailableException("%s %s".formatted(library, problem.get()));
    }
    if (process.exitValue() != 0) {
      throw unusable(
          library,
          "was tried in another process, which ended with exit code " + process.exitValue(),
          lines);
    }
    return TrialMain.facts(lines)
        .orElseThrow(
            () ->
                unusable(
                    library,
                    "was tried in another process, which ended before the trial was over",
                    lines));
  }

  private Path java() throws KernelUnavailableException {
    for (String name : List.of("java", "java.exe")) {
      Path java = javaHome.resolve("bin").resolve(name);
      if (Files.isExecutable(java)) {
        return java;
      }
    }
    throw new KernelUnavailableException(
        "A native library is tried in another process first, but this Java runtime, %s, has no bin/java to start one"
            .formatted(javaHome));
  }

  private Process start(Path java, String library) throws KernelUnavailableException {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    // Small and quick to start, and leaves no files behind when it crashes.
    command.addAll(
        List.of(
            "-Xmx32m",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/null"));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("jna.") || name.equals("java.io.tmpdir"))
        .forEach(name -> command.add("-D%s=%s".formatted(name, System.getProperty(name))));
    command.add("-cp");
    command.add(
        classPath.stream()
            .map(Path::toString)
            .collect(Collectors.joining(System.getProperty("path.separator"))));
    command.add(TrialMain.class.getName());
    command.add(library);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(OPTIONS);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new KernelUnavailableException(
          "%s cannot be tried in another process first, as %s does not start: %s"
              .formatted(library, java, e.getMessage()),
          e);
    }
  }

  private static void run(Runnable reading) {
    Thread thread = new Thread(reading, "output of the trial of a native library");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns what a process writes. Kills a process that writes too much. */
  private static List<String> lines(Process process) {
    try (InputStream output = process.getInputStream()) {
      byte[] bytes = output.readNBytes(MOST_OUTPUT);
      if (bytes.length == MOST_OUTPUT) {
        process.destroyForcibly();
      }
      return new String(bytes, UTF_8)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      // The process was killed, which the message says. Its output would only add to that.
      return List.of();
    }
  }

  private static KernelUnavailableException unusable(
      String library, String what, List<String> lines) {
    // A JVM that crashes writes a line "# SIG...". Other programs write their reason last.
    String quote =
        lines.stream()
            .filter(line -> line.matches("# *SIG.*"))
            .map(line -> line.replaceFirst("# *", ""))
            .findFirst()
            .or(() -> lines.stream().reduce((first, second) -> second))
            .map(line -> ": " + line.substring(0, Math.min(line.length(), MOST_QUOTED)))
            .orElse("");
    return new KernelUnavailableException("%s %s%s".formatted(library, what, quote));
  }
}
