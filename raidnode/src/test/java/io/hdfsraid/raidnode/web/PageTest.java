// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final Path FOLDER = Path.of("src/main/resources/io/hdfsraid/raidnode/web");
  private static final Pattern IMPORT = Pattern.compile("from '([^']+)'");

  private static String read(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name));
  }

  @Test
  void allFilesOfThePageAreServed() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> FOLDER.relativize(file).toString().replace('\\', '/')))
          .hasSizeGreaterThan(15)
          .allSatisfy(name -> assertThat(PageServlet.FILES).containsKey(name));
    }
  }

  @Test
  void scriptsImportOnlyWhatIsServed() throws IOException {
    for (String name : PageServlet.FILES.keySet()) {
      if (!name.endsWith(".js") || name.startsWith("lib/")) {
        continue;
      }
      List<String> imports = IMPORT.matcher(read(name)).results().map(MatchResult::group).toList();
      Path at = Path.of("/" + name).getParent();
      assertThat(imports)
          .as(name)
          .allSatisfy(
              from -> {
                String target = from.substring(from.indexOf('\'') + 1, from.length() - 1);
                assertThat(target).startsWith(".");
                assertThat(PageServlet.FILES)
                    .containsKey(at.resolve(target).normalize().toString().substring(1));
              });
    }
  }

  /** The policy of the page would block them, and a reader would see a page without style. */
  @Test
  void nothingIsInline() throws IOException {
    String index = read("index.html");
    assertThat(index).doesNotContain("style=", "<style", "onclick", "http:", "https:");
    assertThat(Pattern.compile("<script(?! type=\"module\" src=)").matcher(index).find()).isFalse();
    for (String name : PageServlet.FILES.keySet()) {
      if (name.endsWith(".js") && !name.startsWith("lib/")) {
        assertThat(read(name))
            .as(name)
            .doesNotContain(" style=", "innerHTML", "unsafeHTML", "eval(", "https:");
      }
    }
  }
}
