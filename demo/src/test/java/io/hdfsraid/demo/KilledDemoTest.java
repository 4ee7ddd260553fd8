// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A demo that is killed leaves nothing that hinders, or outlives, the next one. */
class KilledDemoTest {
  @TempDir private Path folder;

  @Test
  @Tag("full")
  void aDemoKilledWhileItRaidsLeavesNothingToTheNext() throws Exception {
    Path output = folder.resolve("output");
    Process killed =
        new ProcessBuilder(command("--codec", "rs-3-2", "--datanodes", "9"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      while (!Files.readString(output).contains("Raid with")) {
        assertThat(killed.isAlive()).as(() -> read(output)).isTrue();
        assertThat(System.nanoTime()).as(() -> read(output)).isLessThan(end);
        Thread.sleep(50);
      }
    } finally {
      killed.destroyForcibly().waitFor();
    }
    List<Path> left = workspacesOf(killed);
    assertThat(left).as("a killed demo cannot tidy up").isNotEmpty();

    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        DemoCommand.run(
            new PrintWriter(out), new PrintWriter(err), "--codec", "rs-3-2", "--datanodes", "9");

    assertThat(exitCode).as("%s%n%s", out, err).isZero();
    assertThat(left).allSatisfy(each -> assertThat(each).doesNotExist());
  }

  private static List<String> command(String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                DemoCommand.class.getName()));
    command.addAll(List.of(options));
    return command;
  }

  /** Nobody else's: other demos may run on this machine. */
  private static List<Path> workspacesOf(Process process) throws IOException {
    try (Stream<Path> entries = Files.list(Workspace.parent())) {
      return entries
          .filter(
              path ->
                  path.getFileName().toString().startsWith("hdfs-raid-demo-" + process.pid() + "-"))
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
