// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidshell.RaidShell;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.rescue.codec.CodecTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RescueCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int shell(String... args) {
    return RaidShell.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void theTableHasALineForEveryCodecAndFitsAScreen() {
    assertThat(shell("codecs")).isZero();
    assertThat(out.toString().lines().takeWhile(line -> !line.isEmpty()))
        .hasSize(1 + Codecs.all().size());
    assertThat(out.toString())
        .contains("STORED", "BEARS", "NODES", "RACKS", "HELPERS", "SOURCE")
        .contains(Codecs.all().stream().map(ErasureCodec::name).toList())
        .contains("3 to 12, mean 4", "Huang 2012", "Blömer 1995");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 120);
  }

  @Test
  void theKernelsAreBelowTheCodecs() {
    assertThat(shell("codecs")).isZero();
    assertThat(out.toString().lines().dropWhile(line -> !line.startsWith("KERNEL")))
        .anyMatch(line -> line.matches("portable +right bytes .*"))
        .anyMatch(line -> line.matches("scalar +right bytes .*"))
        .anyMatch(line -> line.matches("isa-l +(right bytes|absent) .*"))
        .anyMatch(line -> line.matches("In use for general matrices: \\S+ \\(.+\\)"));
  }

  @Test
  void markdownIsTheTableOfTheDocuments() {
    assertThat(shell("codecs", "--markdown")).isZero();
    assertThat(out.toString())
        .isEqualTo(CodecTable.ofAll().markdown())
        .startsWith(
            "| Scheme | Units | α | Stored per byte | Losses borne | Distance | Nodes needed |"
                + " Racks needed | Blocks read per repair | Helpers | Source |\n"
                + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
        .contains("| rs-10-4 | 10+4 | 1 | 1.40 | 4 | 5 | 14 | 4 | 10 | 10 | Blömer et al., ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"codecs --json", "--json codecs"})
  void programsGetTheCodecsAsJson(String line) throws IOException {
    assertThat(shell(line.split(" "))).isZero();
    JsonNode answer = new ObjectMapper().readTree(out.toString());
    JsonNode codecs = answer.get("codecs");
    assertThat(codecs).hasSameSizeAs(Codecs.all());
    JsonNode first = codecs.get(0);
    assertThat(first.get("name").asText()).isEqualTo("xor-10-1");
    assertThat(first.get("dataUnits").asInt()).isEqualTo(10);
    assertThat(first.get("distance").asInt()).isEqualTo(2);
    assertThat(first.get("helpersByUnit")).hasSize(11).allMatch(unit -> unit.asInt() == 10);
    assertThat(first.has("repairs")).isFalse();
    assertThat(answer.get("kernels").findValuesAsText("name")).isEqualTo(CodingKernels.names());
    JsonNode portable = answer.get("kernels").get(0);
    assertThat(portable.get("state").asText()).isEqualTo("RIGHT");
    assertThat(portable.get("detail").asText()).startsWith("plain Java");
    assertThat(portable.has("problem")).isFalse();
    assertThat(answer.get("inUse").get("GENERAL").get("reason").asText()).isNotEmpty();
  }

  @Test
  void oneCodecIsShownUnitByUnitAndLossByLoss() {
    assertThat(shell("codecs", "lrc-azure-6-2-2")).isZero();
    assertThat(out.toString())
        .contains("lrc-azure-6-2-2: Huang et al., Erasure Coding in Windows Azure Storage")
        .contains("Distance 4: any 3 may be lost")
        .contains("10 nodes, one for each unit; 4 racks, so that none holds more than 3 units")
        .contains("10.0 MiB of memory for a stripe in work");
    assertThat(out.toString().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .contains(
            "0|data|3|3|1-2, 6|-",
            "7|parity|3|3|3-5|-",
            "9|parity|6|6|0-5|-",
            "1|10|3.60",
            "3|120|6");
  }

  @Test
  void helpersThatAreReadInPartAreNamed() {
    assertThat(shell("codecs", "less-10-4")).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .contains("0|data|4.75|13|1-2|3-13");
  }

  @Test
  void oneCodecForProgramsHasItsRepairs() throws IOException {
    assertThat(shell("codecs", "rs-3-2", "--json")).isZero();
    JsonNode repairs = new ObjectMapper().readTree(out.toString()).get("repairs");
    assertThat(repairs).hasSize(2);
    assertThat(repairs.get(1).toString())
        .isEqualTo("{\"losses\":2,\"patterns\":10,\"borne\":10,\"averageReads\":3.0}");
  }

  @ParameterizedTest
  @CsvSource({
    "codecs rs-6,              There is no codec rs-6",
    "codecs rs-6-3 --markdown, --markdown is for the table of all codecs"
  })
  void aCodecThatIsNoneIsWrongUsage(String line, String complaint) {
    assertThat(shell(line.split(" "))).isEqualTo(1);
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void thePoliciesThatAreDeliveredAreValid() {
    assertThat(shell("policies", "validate", "../conf/policies.yml")).as("%s", err).isZero();
    assertThat(out.toString()).contains("is valid; policies: 2");
  }

  @Test
  void allThatIsWrongWithPoliciesIsNamedAtOnce(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("policies.yml");
    Files.writeString(
        file,
        """
        policies:
          - name: wrong
            path: /a
            coldAfter: soon
            codec: rs-0-0
        """);
    assertThat(shell("policies", "validate", file.toString()))
        .isEqualTo(ExitCode.FINDINGS.number());
    assertThat(err.toString())
        .contains("policies[0].path", "policies[0].coldAfter", "policies[0].codec")
        .contains("(line 3)", file.toString());
    assertThat(out.toString()).isEmpty();

    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    assertThat(shell("policies", "validate", file.toString(), "--json"))
        .isEqualTo(ExitCode.FINDINGS.number());
    PoliciesValidation check = ApiJson.mapper().readValue(out.toString(), PoliciesValidation.class);
    assertThat(check.valid()).isFalse();
    assertThat(check.problems())
        .extracting(PoliciesValidation.Remark::key)
        .contains("policies[0].path", "policies[0].coldAfter", "policies[0].codec");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void policiesThatAreNotThereAreNoFindings(@TempDir Path directory) throws IOException {
    String none = directory.resolve("none.yml").toString();
    assertThat(shell("policies", "validate", none)).isEqualTo(ExitCode.IO.number());
    assertThat(err.toString()).contains(none + ": does not exist");
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    assertThat(shell("policies", "validate", none, "--json")).isEqualTo(ExitCode.IO.number());
    assertThat(ApiJson.mapper().readValue(out.toString(), PoliciesValidation.class).valid())
        .isFalse();
  }

  @Test
  void whatIsAllowedAndProbablyNotMeantIsWarnedOf(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("policies.yml");
    Files.writeString(
        file,
        """
        policies:
          - {name: all, paths: [/], coldAfter: 1d, codec: rs-6-3}
          - {name: some, paths: [/a], coldAfter: 1d, codec: rs-6-3}
        """);

    assertThat(shell("policies", "validate", file.toString())).isZero();
    assertThat(out.toString())
        .contains("Warning: " + file + ": policies[1]: (some) is never asked: policies[0] (all)")
        .contains("is valid; policies: 2");
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    assertThat(shell("policies", "validate", file.toString(), "--json")).isZero();
    assertThat(ApiJson.mapper().readValue(out.toString(), PoliciesValidation.class).warnings())
        .hasSize(1);
  }

  @Test
  void aCommandThatDoesNotExistIsWrongUsage() {
    assertThat(shell("dance")).isEqualTo(ExitCode.USAGE.number());
    assertThat(shell("bench")).isEqualTo(ExitCode.USAGE.number());
    assertThat(shell("bench", "raid")).isEqualTo(ExitCode.USAGE.number());
  }

  @Test
  void helpNamesTheCommands() {
    assertThat(shell("--help")).isZero();
    assertThat(out.toString()).contains("bench", "codecs", "doctor", "policies", "recover");
  }

  @Test
  void theCodecsAreMeasuredOnRequest() throws IOException {
    assertThat(shell("bench", "codec", "--codec=rs-3-2,less-6-3", "--kernel=portable", "--quick"))
        .as(err::toString)
        .isZero();
    assertThat(out.toString().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .contains("CODEC|ENCODE|REBUILD ONE", "Kernel: portable")
        .anyMatch(line -> line.matches("rs-3-2\\|[0-9.]+\\|[0-9.]+"))
        .anyMatch(line -> line.matches("less-6-3\\|[0-9.]+\\|[0-9.]+"));

    out.getBuffer().setLength(0);
    assertThat(shell("bench", "codec", "--codec=rs-3-2", "--quick", "--json")).isZero();
    JsonNode rows = new ObjectMapper().readTree(out.toString());
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).get("codec").asText()).isEqualTo("rs-3-2");
    assertThat(rows.get(0).get("encodeGBps").asDouble()).isPositive();
    assertThat(rows.get(0).get("rebuildGBps").asDouble()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,  rs-1-0, --codec: There is no codec rs-1-0",
    "--kernel, banana, --kernel: There is no kernel banana. Kernels are auto"
  })
  void aWrongNameIsWrongUsageAndNothingIsMeasured(String option, String name, String complaint) {
    assertThat(shell("bench", "codec", option, name)).isEqualTo(ExitCode.USAGE.number());
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }
}
