// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.tasks.TaskState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the shell does on a terminal, which the program {@code script} plays here. */
class TerminalTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final int CTRL_C = 3;
  private static final int KILLED_BY_CTRL_C = 130;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @TempDir Path folder;
  private Path shown;
  private StubRaidNode raidNode;
  private Process shell;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Files.exists(SCRIPT), "nothing plays a terminal");
    shown = folder.resolve("shown");
    raidNode = new StubRaidNode();
    raidNode.answer(ApiPaths.RAID, Answers.plan(Action.RAID, Outcome.ACCEPTED, 0).acceptedAs("17"));
  }

  @AfterEach
  void stop() {
    if (shell != null) {
      Stream.concat(Stream.of(shell.toHandle()), shell.descendants())
          .forEach(ProcessHandle::destroyForcibly);
    }
    if (raidNode != null) {
      raidNode.close();
    }
  }

  private void shell(String words) throws IOException {
    String java =
        Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dhdfsraid.columns=60",
                "-Dhdfsraid.rows=20",
                "-cp",
                System.getProperty("java.class.path"),
                RaidShell.class.getName())
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    Path command = folder.resolve("command");
    Files.writeString(command, "%s %s --url %s\n".formatted(java, words, raidNode.url()));
    shell =
        new ProcessBuilder(SCRIPT.toString(), "-qefc", "sh " + command, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(shown.toFile())
            .start();
  }

  private void press(String keys) throws IOException {
    OutputStream keyboard = shell.getOutputStream();
    keyboard.write(keys.getBytes(UTF_8));
    keyboard.flush();
  }

  private void await(BooleanSupplier condition) {
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - began).as(this::seen).isLessThan(LONGEST.toNanos());
      assertThat(shell.isAlive()).as(this::seen).isTrue();
      Thread.onSpinWait();
    }
  }

  private String seen() {
    try {
      return Files.readString(shown);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private int end() throws InterruptedException {
    assertThat(shell.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).as(this::seen).isTrue();
    return shell.exitValue();
  }

  private void raidAndPressCtrlC() throws IOException {
    shell("raid /warehouse --yes");
    await(() -> seen().contains("RAID /warehouse  25%"));
    press(String.valueOf((char) CTRL_C));
    await(() -> seen().contains("Cancel task 17? [y/N]"));
  }

  @Test
  void aTaskIsFollowedWithABarThatFitsTheTerminal() throws Exception {
    shell("raid /warehouse --yes");
    await(() -> seen().contains("RAID /warehouse  25%"));
    raidNode.answer(StubRaidNode.TASK, Answers.task(TaskState.DONE));

    assertThat(end()).as(seen()).isZero();
    assertThat(seen()).contains("Task 17: RAID /warehouse: DONE");
    assertThat(List.of(seen().split("[\r\n]+")))
        .filteredOn(line -> line.contains("25%"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(60));
  }

  @Test
  void afterCtrlCTheTaskGoesOnUnlessTheUserSaysOtherwise() throws Exception {
    raidAndPressCtrlC();
    press("\n");

    assertThat(end()).as(seen()).isEqualTo(KILLED_BY_CTRL_C);
    assertThat(seen()).contains("Task 17 goes on", "raidshell tasks cancel 17 --yes");
    assertThat(raidNode.asked()).noneMatch(request -> request.contains("/cancel"));
  }

  @Test
  void afterCtrlCTheTaskIsCancelledIfTheUserSaysSo() throws Exception {
    raidAndPressCtrlC();
    press("y\n");

    assertThat(end()).as(seen()).isEqualTo(KILLED_BY_CTRL_C);
    assertThat(raidNode.asked())
        .anyMatch(request -> request.startsWith("POST " + StubRaidNode.TASK + "/cancel"));
  }

  @Test
  void theKeyQEndsTop() throws Exception {
    shell("top --interval 1000");
    await(() -> seen().contains("Raiding: "));
    press("q");

    assertThat(end()).as(seen()).isZero();
  }
}
