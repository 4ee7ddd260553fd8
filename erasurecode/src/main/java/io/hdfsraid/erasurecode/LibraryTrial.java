package io.hdfsraid.erasurecode;

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
 * Lets another process load a native library and use it before this one does: a broken library
 * takes its process down, and nothing that Java offers prevents it.
 *
 * @param javaHome whose {@code bin/java} runs the other process
 * @param classPath where {@link TrialMain} and JNA are
 * @param limit how long the other process may take before it is killed
 */
record LibraryTrial(Path javaHome, List<Path> classPath, Duration limit) {
  private static final int MOST_OUTPUT = 64 * 1024;
  private static final int MOST_QUOTED = 300;

  // After the end of the process only others, to whom it has handed its output, can keep that open.
  private static final long PATIENCE_MILLIS = 1000;

  // They are meant for this process: with the same debugger's port, or agent, the other would end.
  private static final Set<String> OPTIONS =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  /**
   * @param library an absolute path, or a name that the system's linker searches
   * @throws KernelUnavailableException with what happened, when there was anything wrong with it
   */
  IsaFacts run(String library) throws KernelUnavailableException {
    Path java = java();
    Process process = start(java, library);
    // Waits whatever interrupts: the answer is kept for as long as this process lives.
    CompletableFuture<List<String>> output =
        CompletableFuture.supplyAsync(() -> lines(process.getInputStream()), LibraryTrial::run);
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

  /** What a process writes, up to a limit; what comes after that is refused. */
  private static List<String> lines(InputStream output) {
    try (output) {
      return new String(output.readNBytes(MOST_OUTPUT), UTF_8)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      // The process was killed. That is told; its words are only an extra.
      return List.of();
    }
  }

  private static KernelUnavailableException unusable(
      String library, String what, List<String> lines) {
    // A JVM that crashes says so in a frame of #, with much else; others say last what ended them.
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
