package io.hdfsraid.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.raidshell.RaidShell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int offline(String... args) {
    return Offline.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  private int shell(String... args) {
    return RaidShell.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void theTableHasALineForEveryCodec() {
    assertThat(shell("codecs")).isZero();
    assertThat(out.toString().lines()).hasSize(1 + Codecs.all().size());
    assertThat(out.toString())
        .contains("STORED PER BYTE")
        .contains(Codecs.all().stream().map(ErasureCodec::name).toList());
  }

  @Test
  void markdownIsTheTableOfTheReadme() {
    assertThat(offline("codecs", "--markdown")).isZero();
    assertThat(out.toString())
        .isEqualTo(CodecTable.ofAll().markdown())
        .startsWith("| Scheme | Stored per byte | Losses borne | Nodes needed |")
        .contains("| rs-10-4 | 1.40 | 4 | 14 | 10 |");
  }

  @Test
  void programsGetTheCodecsAsJson() throws IOException {
    assertThat(shell("codecs", "--json")).isZero();
    JsonNode codecs = new ObjectMapper().readTree(out.toString());
    assertThat(codecs).hasSameSizeAs(Codecs.all());
    assertThat(codecs.get(0).get("name").asText()).isEqualTo("xor-10-1");
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
    assertThat(offline("policies", "validate", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("policies[0].path", "policies[0].coldAfter", "policies[0].codec")
        .contains(file.toString());
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aCommandThatDoesNotExistIsWrongUsage() {
    assertThat(offline("dance")).isEqualTo(2);
    assertThat(offline()).isEqualTo(2);
    assertThat(offline("policies")).isEqualTo(2);
  }

  @Test
  void helpNamesTheCommands() {
    assertThat(offline("--help")).isZero();
    assertThat(out.toString()).contains("demo", "codecs", "policies");
  }
}
