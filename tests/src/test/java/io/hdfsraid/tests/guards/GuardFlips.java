package io.hdfsraid.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Takes out one guard after another and expects red of the test that names it, which must be green
 * with it. No source is touched: the class without its guard is compiled, past the checks of the
 * build, into a folder that comes first on the class path of another JVM, which runs that one test.
 * Not part of any tier: {@code tests/flip-guards.sh} runs it and shows the table.
 */
class GuardFlips {
  private static final Path TABLE = Path.of("target", "guards.md");
  private static final long LONGEST_MINUTES = 10;

  /** What the tests show with all guards in place; each is run once. */
  private static final Map<String, Verdict> WITH_ALL = new HashMap<>();

  @TempDir private Path folder;

  private enum Verdict {
    RED("red"),
    GREEN("GREEN"),
    NOT_FOUND("NOT FOUND"),
    NOT_COMPILED("NOT COMPILED"),
    NO_SUCH_TEST("NO SUCH TEST"),
    ENDLESS("NO END"),
    RED_ANYWAY("RED ALSO WITH IT");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }
  }

  /** Those in memory first: they take a second each. */
  static List<Guard> guards() {
    String only = System.getProperty("guards.only", "");
    return Guard.all().stream()
        .filter(guard -> guard.name().contains(only))
        .sorted(Comparator.comparing(Guard::needsHdfs))
        .toList();
  }

  @BeforeAll
  static void beginTable() throws IOException {
    Files.createDirectories(TABLE.getParent());
    Files.writeString(TABLE, "| Without | its test | is | seconds |\n|-|-|-|-|\n");
  }

  @ParameterizedTest
  @MethodSource("guards")
  void withoutItItsTestTurnsRed(Guard guard) throws Exception {
    long began = System.nanoTime();
    Verdict verdict = verdict(guard);
    Files.writeString(
        TABLE,
        "| %s (`%s`) | `%s.%s` | %s | %d |\n"
            .formatted(
                guard.name(),
                simple(guard.type()),
                simple(guard.testClass()),
                guard.testMethod(),
                verdict.text,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)),
        java.nio.file.StandardOpenOption.APPEND);
    assertThat(verdict).as("%s without '%s'", guard.test(), guard.code()).isEqualTo(Verdict.RED);
  }

  private Verdict verdict(Guard guard) throws IOException, InterruptedException {
    if (guard.occurrences() != 1) {
      return Verdict.NOT_FOUND;
    }
    Optional<String> refused = compileWithout(guard);
    if (refused.isPresent()) {
      System.out.println(guard + " does not compile without it:\n" + refused.get());
      return Verdict.NOT_COMPILED;
    }
    Verdict without = run(guard, Optional.of(folder));
    if (without != Verdict.RED) {
      return without;
    }
    Verdict with = WITH_ALL.get(guard.test());
    if (with == null) {
      with = run(guard, Optional.empty());
      WITH_ALL.put(guard.test(), with);
    }
    return with == Verdict.GREEN ? Verdict.RED : Verdict.RED_ANYWAY;
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** What the compiler said, if it refused. */
  private Optional<String> compileWithout(Guard guard) throws IOException {
    Path source = folder.resolve(simple(guard.type()) + ".java");
    Files.writeString(source, guard.taken());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled =
          compiler
              .getTask(
                  said,
                  files,
                  null,
                  List.of("-proc:none", "-nowarn", "-d", folder.toString(), "-cp", classPath()),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      return compiled ? Optional.empty() : Optional.of(said.toString());
    }
  }

  /**
   * Runs the guard's test.
   *
   * @param first comes first on the class path
   */
  private Verdict run(Guard guard, Optional<Path> first) throws IOException, InterruptedException {
    String separator = System.getProperty("path.separator");
    Path tests = Guard.PROJECT.resolve(guard.testModule()).resolve("target/test-classes");
    String classPath =
        first.map(path -> path + separator).orElse("") + tests + separator + classPath();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                TestRun.class.getName(),
                guard.testClass(),
                guard.testMethod())
            .directory(Guard.PROJECT.resolve(guard.testModule()).toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
        return Verdict.ENDLESS;
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return switch (process.exitValue()) {
      case TestRun.GREEN -> Verdict.GREEN;
      case TestRun.RED -> Verdict.RED;
      default -> Verdict.NO_SUCH_TEST;
    };
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }
}
