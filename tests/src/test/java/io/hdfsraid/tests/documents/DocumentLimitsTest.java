// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents stay as short as a reader can bear, as far as that can be counted. */
class DocumentLimitsTest {
  private static final int WIDTH = 110;
  private static final int README_LINES = 120;
  private static final int ARCHITECTURE_LINES = 200;
  private static final int WORDS = 40;

  /** Two screens, and a little more. */
  private static final int PAGE_LINES = 130;

  /** Where people look something up, and do not read on. */
  private static final Set<String> REFERENCES = Set.of("shell.md", "rest.md");

  private static final Set<String> NOT_SOURCES = Set.of("target", ".git");

  /** All Markdown files of the project, those of the modules included. */
  static List<Document> documents() {
    List<Document> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          Document.PROJECT,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return NOT_SOURCES.contains(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(".md")) {
                found.add(Document.of(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static Document named(String name) {
    return Document.of(Document.PROJECT.resolve(name));
  }

  @Test
  void theReadmeIsReadInTwoMinutes() {
    List<String> lines = named("README.md").text().lines().toList();

    assertThat(lines).hasSizeLessThanOrEqualTo(README_LINES);
    assertThat(lines)
        .allSatisfy(line -> assertThat(width(line)).as(line).isLessThanOrEqualTo(WIDTH));
  }

  @Test
  void theArchitectureFitsAFewPages() {
    assertThat(named("ARCHITECTURE.md").text().lines().toList())
        .hasSizeLessThanOrEqualTo(ARCHITECTURE_LINES);
  }

  @Test
  void aPageOfTheBookFitsTwoScreens() throws IOException {
    try (Stream<Path> book = Files.list(Document.PROJECT.resolve("docs"))) {
      assertThat(
              book.filter(page -> page.toString().endsWith(".md"))
                  .filter(page -> !REFERENCES.contains(page.getFileName().toString())))
          .hasSizeGreaterThan(40)
          .allSatisfy(
              page ->
                  assertThat(Files.readAllLines(page))
                      .as("%s", page.getFileName())
                      .hasSizeLessThanOrEqualTo(PAGE_LINES));
    }
  }

  @Test
  void theGlossaryIsShort() {
    assertThat(named("ARCHITECTURE.md").tables("Word").get(0).rows())
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(WORDS);
  }

  /** Rows of tables, and lines that are mostly a link, cannot be broken. */
  @ParameterizedTest
  @MethodSource("documents")
  void noLineIsTooLong(Document document) {
    List<String> lines = document.text().lines().toList();

    assertThat(
            IntStream.range(0, lines.size())
                .filter(i -> width(lines.get(i)) > WIDTH)
                .filter(i -> !lines.get(i).startsWith("|") && !isALink(lines.get(i)))
                .mapToObj(i -> "%s:%d: %s".formatted(document, i + 1, lines.get(i))))
        .isEmpty();
  }

  private static boolean isALink(String line) {
    return line.strip().matches("([*-] )?!?\\[[^]]*]\\([^)\\s]+\\)[.,;:]?");
  }

  private static int width(String line) {
    return line.codePointCount(0, line.length());
  }
}
