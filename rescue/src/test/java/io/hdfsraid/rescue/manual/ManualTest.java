// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidshell.RaidShell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ManualTest {
  @TempDir static Path folder;

  @BeforeAll
  static void write() throws IOException {
    Manual.write(folder, "0.1.0");
  }

  private static CommandLine commandLine(String program) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return program.equals("raidnode")
        ? RaidNode.commandLine()
        : RaidShell.commandLine(nowhere, nowhere);
  }

  private record Outcome(int exitCode, String out) {}

  /** Assumes that the program is there. */
  private static Outcome run(String... command) throws Exception {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(false, e.getMessage());
      throw e;
    }
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), out);
  }

  @ParameterizedTest
  @ValueSource(strings = {"raidshell", "raidnode"})
  void thePageHasEveryCommandAndOption(String program) throws IOException {
    String page = Files.readString(folder.resolve("man/man1/" + program + ".1"));

    assertDescribed(commandLine(program), page.replace("\\-", "-"));
    assertThat(page)
        .startsWith(".TH " + program.toUpperCase(Locale.ROOT))
        .contains("\"HDFS-RAID 0.1.0\"", ".SH EXIT STATUS", ".SH SEE ALSO")
        .doesNotContain("${", "generate", "raidshell raidshell");
  }

  private static void assertDescribed(CommandLine parent, String page) {
    parent
        .getSubcommands()
        .values()
        .forEach(
            command -> {
              if (command.getCommandSpec().usageMessage().hidden()) {
                return;
              }
              String name = command.getCommandSpec().qualifiedName();
              assertThat(page).contains(".SS \"" + name.substring(name.indexOf(' ') + 1));
              command
                  .getCommandSpec()
                  .options()
                  .forEach(option -> assertThat(page).as(name).contains(option.longestName()));
              assertDescribed(command, page);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"raidshell", "raidnode"})
  void groffHasNothingToSayAgainstThePage(String program) throws Exception {
    String page = folder.resolve("man/man1/" + program + ".1").toString();

    String command = "groff -man -Tascii -ww -P-cbou '" + page + "'";
    assertThat(
            run(
                "sh",
                "-c",
                "command -v groff >/dev/null || exit 0; " + command + " 2>&1 >/dev/null"))
        .isEqualTo(new Outcome(0, ""));
  }

  @Test
  void bashCompletesCommands() throws Exception {
    assertThat(
            run(
                "bash",
                "-c",
                "source '"
                    + folder.resolve("completion/raidshell.bash")
                    + "' && COMP_WORDS=(raidshell quarantine p) && COMP_CWORD=2"
                    + " && _complete_raidshell 2>/dev/null && echo \"${COMPREPLY[@]}\""))
        .isEqualTo(new Outcome(0, "purge\n"));
  }

  @Test
  void zshCanReadTheCompletion() throws Exception {
    assertThat(run("zsh", "-n", folder.resolve("completion/_raidshell").toString()))
        .isEqualTo(new Outcome(0, ""));
  }

  @Test
  void theLauncherLearnsWhichCommandsNeedMoreJars() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("lib/raidshell.words"));

    TreeSet<String> asking = new TreeSet<>(RaidShell.commandNames());
    asking.remove("help");
    assertThat(lines)
        .hasSize(2)
        .startsWith("asking=' " + String.join(" ", asking) + " '")
        .last()
        .asString()
        .startsWith("working=' ")
        .satisfies(
            line ->
                assertThat(Stream.of("codecs", "doctor", "recover", "validate", "curve"))
                    .allSatisfy(name -> assertThat(line).contains(" " + name + " ")));
  }
}
