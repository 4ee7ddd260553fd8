// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compiler of TypeScript finds where the web page expects another API than the daemon's. */
@Tag("full")
class PageTypesTest {
  private static final Path PAGE = Path.of("src/main/resources/io/hdfsraid/raidnode/web");
  private static final String COMPILER = "/META-INF/resources/webjars/typescript/5.9.3/lib/";
  private static final String LIT = "/META-INF/resources/webjars/lit-html/3.3.1/lit-html.d.ts";

  /** Types are known but for parameters that nobody has described. */
  private static final String OPTIONS =
      """
      {"compilerOptions": {"allowJs": true, "checkJs": true, "noEmit": true, "strict": true,
        "noImplicitAny": false, "skipLibCheck": true, "types": [],
        "target": "ES2023", "lib": ["ES2023", "DOM", "DOM.Iterable"],
        "module": "ES2022", "moduleResolution": "bundler"},
       "include": ["*.js", "pages/*.js", "raid-api.d.ts"]}
      """;

  @TempDir private Path folder;
  private String node;

  @BeforeEach
  void copyPageAndCompiler() throws Exception {
    Optional<String> found = Browser.program("node", "node");
    assumeTrue(found.isPresent(), "No node is on the path, so nobody checks the page's types");
    node = found.get();
    copy(PAGE, folder);
    Files.createDirectories(folder.resolve("lib"));
    Files.writeString(folder.resolve("lib/lit-html.d.ts"), resource(LIT));
    String openApi = resource("/io/hdfsraid/raidnode/rest/openapi/openapi.json");
    Files.writeString(
        folder.resolve("raid-api.d.ts"), ApiTypes.of(new ObjectMapper().readTree(openApi)));
    Files.writeString(folder.resolve("tsconfig.json"), OPTIONS);
    URI jar = PageTypesTest.class.getResource(COMPILER + "_tsc.js").toURI();
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
      copy(files.getPath(COMPILER), folder.resolve("compiler"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(each).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(each, copy);
      }
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PageTypesTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String complaints() throws Exception {
    Process compiler =
        new ProcessBuilder(List.of(node, "compiler/_tsc.js", "--project", ".", "--pretty", "false"))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor() == 0).as(said).isEqualTo(said.isEmpty());
    return said;
  }

  @Test
  void thePageExpectsWhatTheDaemonAnswers() throws Exception {
    assertThat(complaints()).isEmpty();
  }

  @Test
  void anotherApiIsNoticed() throws Exception {
    replace("pages/file.js", "file.replication", "file.replicas");
    replace("pages/history.js", "get('history', { path,", "get('history', { folder: path,");
    replace("pages/overview.js", "path: 'pause', body: { paused: true }", "path: 'hold', body: {}");
    replace("pages/files.js", "${file.codec ?? '–'}", "${file.codec.length}");

    assertThat(complaints().lines().filter(line -> line.contains("error TS")))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).startsWith("pages/file.js").contains("'replicas'"),
            line -> assertThat(line).startsWith("pages/history.js").contains("'folder'"),
            line -> assertThat(line).startsWith("pages/files.js").contains("possibly 'null'"),
            line -> assertThat(line).startsWith("pages/overview.js").contains("\"hold\""));
  }

  private void replace(String file, String text, String by) throws IOException {
    String whole = Files.readString(folder.resolve(file));
    assertThat(whole).contains(text);
    Files.writeString(folder.resolve(file), whole.replace(text, by));
  }
}
