// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.status.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Where the output goes: a terminal, a pipe, a full disk. */
class OutputTest {
  private static final String LONG_SENTENCE =
      "18 of 20 DataNodes have not reported for four minutes, so the NameNode waits for them";

  private StubRaidNode raidNode;

  @BeforeEach
  void start() throws IOException {
    raidNode = new StubRaidNode();
  }

  @AfterEach
  void stop() {
    raidNode.close();
    System.clearProperty("hdfsraid.columns");
    System.clearProperty("hdfsraid.rows");
  }

  private static void terminal(int columns) {
    System.setProperty("hdfsraid.columns", Integer.toString(columns));
    System.setProperty("hdfsraid.rows", "24");
  }

  private record Run(int exitCode, String err) {}

  private Run runOn(OutputStream target, String words) {
    StringWriter err = new StringWriter();
    String[] args = (words + " --url " + raidNode.url()).strip().split(" ", -1);
    return new Run(RaidShell.runOn(target, new PrintWriter(err), args), err.toString());
  }

  private String shown(String words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(runOn(out, words).err()).isEmpty();
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Each command as it is, as JSON, and its help. */
  static Stream<String> everything() {
    List<String> helps = new ArrayList<>(List.of("--help", "--version", "help"));
    addHelps("", RaidShellTest.commandLine(), helps);
    return Stream.concat(
        RaidShellTest.commands().flatMap(words -> Stream.of(words, words + " --json")),
        helps.stream());
  }

  private static void addHelps(String words, CommandLine parent, List<String> helps) {
    parent
        .getSubcommands()
        .forEach(
            (name, command) -> {
              boolean help = name.equals("help") || name.equals("generate-completion");
              helps.add(words + name + (help ? "" : " --help"));
              addHelps(words + name + " ", command, helps);
            });
  }

  @ParameterizedTest
  @MethodSource("everything")
  void outputThatCannotBeWrittenIsAFailure(String words) throws IOException {
    try (OutputStream full = Files.newOutputStream(Path.of("/dev/full"))) {
      Run run = runOn(full, words);

      assertThat(run.err())
          .isEqualTo(
              "raidshell: The output could not be written in full: No space left on device\n");
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("io.hdfsraid.raidshell.RaidShellTest#commands")
  void whoWantsNoMoreOutputIsNotToldSo(String words) {
    assertThat(runOn(new WantsNoMore(), words)).isEqualTo(new Run(0, ""));
  }

  @Test
  @Timeout(30)
  void whatWatchesEndsWithItsReader() {
    assertThat(runOn(new WantsNoMore(), "repairs --watch").err()).isEmpty();
    assertThat(runOn(new WantsNoMore(), "repairs --watch --json").err()).isEmpty();
    assertThat(runOn(new WantsNoMore(), "top --count 1000").err()).isEmpty();
  }

  /** Any output of a command that fails otherwise keeps the code of that. */
  @Test
  void findingsThatCannotBeWrittenAreStillFindings() throws IOException {
    raidNode.answer(ApiPaths.STATUS, Answers.status(new Problem("SAFE_MODE", "what", "")));
    try (OutputStream full = Files.newOutputStream(Path.of("/dev/full"))) {
      Run run = runOn(full, "status");

      assertThat(run.exitCode()).isEqualTo(3);
      assertThat(run.err()).contains("No space left on device");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 100, 200})
  void everythingFitsTheTerminal(int columns) {
    raidNode.answer(
        ApiPaths.STATUS, Answers.status(new Problem("SAFE_MODE", LONG_SENTENCE, LONG_SENTENCE)));
    terminal(columns);
    List<String> unchanged = new ArrayList<>();
    for (String words : (Iterable<String>) RaidShellTest.commands()::iterator) {
      String fitted = shown(words);
      if (fitted.equals(shown(words + " --wide"))) {
        unchanged.add(words);
      }

      assertThat(fitted.lines())
          .as(words)
          .allSatisfy(line -> assertThat(width(line)).isLessThanOrEqualTo(columns));
    }
    assertThat(unchanged).contains("settings");
    assertThat(unchanged.contains("repairs")).isEqualTo(columns == 200);
  }

  private static int width(String line) {
    return Ansi.OFF.text(line.replaceAll("\u001b\\[[A-Z]", "")).getCJKAdjustedLength();
  }

  @Test
  void onlyOnATerminalIsAnythingCut() {
    String path = "/warehouse/clicks/日本/" + "x".repeat(200) + "/2030-06-01/part-00000.orc";
    raidNode.answer(ApiPaths.FILES, Page.last(List.of(Answers.file(path))));

    String piped = shown("files");
    assertThat(piped).contains(path).hasLineCount(2);

    terminal(140);
    assertThat(shown("files"))
        .contains("  /warehouse/click…xxx", "xxx/2030-06-01/part-00000.orc\n")
        .doesNotContain(path)
        .hasLineCount(2);
    terminal(80);
    assertThat(shown("files"))
        .contains("\n    PATH /warehouse/clicks/日本", "…xxx", "/2030-06-01/part-00000.orc\n")
        .hasLineCount(4);
    assertThat(shown("files --wide")).isEqualTo(piped);
    assertThat(shown("--wide files")).isEqualTo(piped);
    assertThat(shown("files --json")).contains(path);
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    raidNode.answer(
        ApiPaths.FILES, Page.last(List.of(Answers.file("/日本語", "歴史"), Answers.file("/b", "logs"))));

    assertThat(shown("files").lines().skip(1))
        .extracting(line -> width(line.substring(0, line.indexOf("2030-"))))
        .containsExactly(66, 66);
  }

  @Test
  void namesThatMustBeCopiedStayWholeInSentences() {
    String cursor = "c".repeat(150);
    raidNode.answer(ApiPaths.FILES, new Page<>(List.of(Answers.file("/a")), Optional.of(cursor)));
    terminal(80);

    assertThat(shown("files")).endsWith("There is more: --cursor\n  " + cursor + "\n");
  }

  @Test
  void theHelpFitsTheTerminal() {
    terminal(70);
    assertThat(shown("status --help").lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(70));
    terminal(20);
    assertThat(shown("status --help")).as("not narrower than picocli can").contains("--wide");
  }

  @Test
  void topShowsTheMostUrgentFirstAndOnceToAPipe() {
    assertThat(shown("top"))
        .startsWith("2030-06-01T12:00:00Z  RaidNode 0.1.0 for hdfs://ns1, up 3d3h\nNo problems.\n")
        .contains("DataNodes: 1 DEAD, 1 LIVE; 1.0 GiB used, 3.0 GiB free\n")
        .contains("\nJobs: repair since 2030-06-01T12:00:00Z, policy cold since ")
        .contains("\nTask 17: RAID /warehouse: RUNNING, 25.0 %, ")
        .contains("TOLERATES  STRIPES\n2          1 POSTPONED\n")
        .contains("what waits now is done about 2030-06-01T12:01:00Z\n")
        .doesNotContain("\u001b");
  }

  @Test
  void topFitsTheHeightOfTheTerminal() {
    System.setProperty("hdfsraid.rows", "12");
    System.setProperty("hdfsraid.columns", "100");

    String views = shown("top --count 2 --interval 1");

    assertThat(views.split("\u001b\\[H", -1))
        .hasSize(3)
        .allSatisfy(view -> assertThat(view.lines().count()).isLessThanOrEqualTo(12));
  }

  @Test
  void topKnowsRatesFromTheSecondViewOn() {
    ObjectNode later = ApiJson.mapper().valueToTree(Answers.status());
    later.put("now", "2030-06-01T12:00:10Z");
    ((ObjectNode) later.at("/transfers/0")).put("sameNode", (1 << 20) + 10 * (3 << 20));
    raidNode.answerOnce(ApiPaths.STATUS, Answers.status());
    raidNode.answer(ApiPaths.STATUS, later);

    assertThat(shown("top --count 2 --interval 1"))
        .contains(
            "raiding      read     -         7.0 GiB\n",
            "raiding      read     3.0 MiB   7.0 GiB\n");
  }

  @Test
  void topGoesOnWhenTheRaidNodeIsAwayForAWhile() {
    raidNode.answerOnce(ApiPaths.REPAIRS, Answers.repairs());
    raidNode.answer(
        ApiPaths.REPAIRS, new ApiError(ErrorCode.NOT_READY, "HDFS is starting", "Wait a bit."));

    assertThat(shown("top --count 2 --interval 1"))
        .contains("HDFS is starting\nWhat follows is old.\n\n2030-06-01T12:00:00Z");
  }

  /** A pipe to {@code head} that has ended. */
  private static final class WantsNoMore extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }
}
