// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidshell.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The page about the shell has every command as the shell has it. */
class ShellReferenceTest {
  private static final String COMMANDS = "commands";
  private static final Document PAGE = Document.of(Document.PROJECT.resolve("docs/shell.md"));

  @Test
  void theReferenceIsTheGeneratedOne() throws IOException {
    String generated = ShellReference.markdown();
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(PAGE.file(), ShellReference.replaced(PAGE.text(), COMMANDS, generated));
    }

    assertThat(Document.of(PAGE.file()).between(COMMANDS))
        .as(
            "after a wanted change run ./mvnw -pl tests -am test -Dtest=ShellReferenceTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true")
        .isEqualTo(generated);
  }

  @Test
  void everyCommandHasALineAmongThoseByTask() {
    assertThat(ShellLine.shellCommands())
        .allSatisfy(
            command ->
                assertThat(PAGE.lines("sh"))
                    .anyMatch(line -> line.matches("bin/raidshell " + command + "\\b.*")));
  }

  @Test
  void everyExitCodeIsExplained() {
    assertThat(PAGE.tables("Code").get(0).column(0))
        .containsExactlyElementsOf(
            Arrays.stream(ExitCode.values()).map(code -> "" + code.number()).toList());
  }
}
