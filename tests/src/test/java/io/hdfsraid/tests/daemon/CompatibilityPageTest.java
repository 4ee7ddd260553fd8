// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of versions names the clusters of {@link ServerVersionsTest}, and no others. */
class CompatibilityPageTest {
  private static final Path PAGE = Path.of("../docs/compatibility.md");

  @Test
  void theClustersAreThoseOfTheTest() throws Exception {
    List<String> expected =
        ServerVersionsTest.clusters()
            .map(each -> "| %s | %s |".formatted(each.name(), each.blockTokens() ? "on" : "off"))
            .toList();
    assertThat(Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| 3.")))
        .containsExactlyElementsOf(expected);
  }
}
