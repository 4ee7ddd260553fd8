// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.metrics.RaidMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about metrics has every meter as the daemon has it. */
class MetricsReferenceTest {
  private static final String METERS = "meters";
  private static final Document PAGE = Document.of(Document.PROJECT.resolve("docs/metrics.md"));

  @Test
  void theReferenceIsTheGeneratedOne() throws IOException {
    String generated = markdown();
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(PAGE.file(), ShellReference.replaced(PAGE.text(), METERS, generated));
    }

    assertThat(Document.of(PAGE.file()).between(METERS))
        .as(
            "after a wanted change run ./mvnw -pl tests -am test -Dtest=MetricsReferenceTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true")
        .isEqualTo(generated);
  }

  private static String markdown() {
    return "\n| Metric | Kind | What it measures | Labels |\n|---|---|---|---|\n"
        + Stream.of(RaidMeter.values())
            .map(MetricsReferenceTest::row)
            .collect(Collectors.joining("\n", "", "\n\n"));
  }

  private static String row(RaidMeter meter) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            meter.prometheusName(),
            meter.kind().name().toLowerCase(Locale.ROOT),
            meter.what(),
            meter.labels().stream()
                .map(label -> "`" + label + "`")
                .collect(Collectors.joining(", ")));
  }
}
