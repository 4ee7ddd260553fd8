package io.hdfsraid.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Takes out one guard after another and expects red. Only its class is compiled anew, past the
 * checks of the build, into a folder that comes first on the class path of another JVM. Not part of
 * any tier: {@code tests/flip-guards.sh} runs it and shows the table.
 */
class GuardFlips {
  private static final Path TABLE = Path.of("target", "guards.md");
  private static final List<String> ROWS = new ArrayList<>();
  private static final long LONGEST_MINUTES = 10;

  @TempDir private Path folder;

  static List<Guard> guards() {
    String only = System.getProperty("guards.only", "");
    return Guard.all().stream().filter(guard -> guard.name().contains(only)).toList();
  }

  @ParameterizedTest
  @MethodSource("guards")
  void withoutItItsTestTurnsRed(Guard guard) throws Exception {
    Set<String> red = new TreeSet<>();
    String verdict = "not tried";
    try {
      compileWithout(guard);
      red.addAll(failing(guard));
      verdict = red.contains(guard.testMethod()) ? "red" : "GREEN";
    } finally {
      ROWS.add(
          "| %s | `%s` | %s | `%s` | %d |"
              .formatted(
                  guard.name(),
                  simple(guard.type()),
                  verdict,
                  simple(guard.testClass()) + "." + guard.testMethod(),
                  red.size()));
    }
    assertThat(red).as("failing tests without '%s'", guard.code()).contains(guard.testMethod());
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  @AfterAll
  static void writeTable() throws IOException {
    String heading =
        "| Without | in | its test is | the test | red tests in its class |\n|-|-|-|-|-|\n";
    Files.writeString(TABLE, heading + String.join("\n", ROWS) + "\n");
  }

  private void compileWithout(Guard guard) throws IOException {
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
      assertThat(compiled).as("%s", said).isTrue();
    }
  }

  private Set<String> failing(Guard guard) throws IOException, InterruptedException {
    Path tests = Guard.PROJECT.resolve(guard.testModule()).resolve("target/test-classes");
    String classPath =
        String.join(
            System.getProperty("path.separator"), folder.toString(), tests.toString(), classPath());
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                classPath,
                TestRun.class.getName(),
                guard.testClass())
            .directory(Guard.PROJECT.resolve(guard.testModule()).toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)).as("it ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as("%s", output).isIn(TestRun.GREEN, TestRun.RED);
    try (var lines = Files.lines(output)) {
      return lines
          .filter(line -> line.startsWith("RED "))
          .map(line -> line.substring("RED ".length()))
          .collect(Collectors.toSet());
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }
}
