// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.encode;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodeBenchCommandTest {
  private static final Pattern ACROSS = Pattern.compile("across racks (\\d+) %");

  private final BenchShell shell = new BenchShell("encode");

  @TempDir private Path directory;

  @Test
  @Tag("full")
  void lessCrossesRacksNearTheData() throws IOException {
    Path file = directory.resolve("bench.json");
    assertThat(
            shell.run(
                "--block-size=1MiB",
                "--link-mb=100",
                "--rack-link-mb=200",
                "--quick",
                "--json",
                file.toString()))
        .as("%s%n%s", shell.out, shell.err)
        .isZero();

    Map<String, JsonNode> rows = BenchShell.rows(file);
    assertThat(rows)
        .containsOnlyKeys(
            "rs-legacy anywhere",
            "crs-good-10-4 anywhere",
            "crs-good-10-4 near",
            "rs-10-4 anywhere",
            "rs-10-4 near");
    for (String codec : new String[] {"crs-good-10-4", "rs-10-4"}) {
      assertThat(value(rows.get(codec + " near"))).isPositive();
      assertThat(acrossRacks(rows.get(codec + " near")))
          .as(codec)
          .isLessThan(acrossRacks(rows.get(codec + " anywhere")) * 3 / 4);
    }
  }

  private static int acrossRacks(JsonNode row) {
    Matcher matcher = ACROSS.matcher(row.get("note").asText());
    assertThat(matcher.find()).as(row.toString()).isTrue();
    return Integer.parseInt(matcher.group(1));
  }

  @ParameterizedTest
  @CsvSource({
    "--link-mb=0, --link-mb and --rack-link-mb are more than 0",
    "--stripes=0, --stripes is 1 to 100",
    "--block-size=3, A size is a number of KiB or MiB",
    "--datanodes=13, --datanodes is 14 to"
  })
  void badInputIsOneLine(String option, String said) {
    assertThat(shell.run(option)).isEqualTo(1);
    assertThat(shell.err.toString()).contains(said);
  }
}
