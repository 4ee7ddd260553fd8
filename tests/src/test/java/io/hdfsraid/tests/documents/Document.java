// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A document in Markdown, taken apart as far as tests ask. */
record Document(Path file, String text) {
  /** The folder of the project; tests run in the folder of their module. */
  static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");

  static Document of(Path file) {
    try {
      return new Document(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All documents of the project. */
  static List<Document> all() {
    return Stream.concat(
            below(PROJECT, 1), below(PROJECT.resolve("docs"), Integer.MAX_VALUE).sorted())
        .filter(file -> file.getFileName().toString().endsWith(".md"))
        .map(Document::of)
        .toList();
  }

  private static Stream<Path> below(Path folder, int depth) {
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (Stream<Path> files = Files.walk(folder, depth)) {
      return files.filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** About how it is made: it need not show commands. */
  boolean isOfTheDesign() {
    return file.startsWith(PROJECT.resolve("docs/design"));
  }

  /** The lines of all code blocks in this language. */
  List<String> lines(String language) {
    return BLOCK
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals(language))
        .flatMap(block -> block.group(2).lines())
        .toList();
  }

  /** Each code block in this language. */
  List<String> blocks(String language) {
    return BLOCK
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /** What stands in backticks, outside of code blocks. */
  List<String> code() {
    return groups(CODE, prose());
  }

  List<String> links() {
    return groups(LINK, prose());
  }

  String prose() {
    return BLOCK.matcher(text).replaceAll("");
  }

  private static List<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  /** The anchors of its headings, as GitHub makes them. */
  List<String> anchors() {
    return prose()
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  /** What stands between {@code <!-- name -->} and {@code <!-- /name -->}. */
  String between(String name) {
    String begin = "<!-- " + name + " -->\n";
    String end = "<!-- /" + name + " -->";
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from) {
      throw new AssertionError("%s has no part between %s and %s".formatted(file, begin, end));
    }
    return text.substring(from + begin.length(), to);
  }

  /** The rows, without their heading, of all tables whose first heading begins like this. */
  List<Table> tables(String heading) {
    List<Table> tables = new ArrayList<>();
    List<String> lines = prose().lines().toList();
    for (int i = 0; i + 1 < lines.size(); i++) {
      if (lines.get(i).startsWith("| " + heading) && lines.get(i + 1).startsWith("|-")) {
        tables.add(
            new Table(
                cells(lines.get(i)),
                lines.stream()
                    .skip(i + 2)
                    .takeWhile(line -> line.startsWith("|"))
                    .map(Document::cells)
                    .toList()));
      }
    }
    return tables;
  }

  record Table(List<String> headings, List<List<String>> rows) {
    /** That of the first column. */
    String heading() {
      return headings.get(0);
    }

    List<String> column(int column) {
      return rows.stream().map(row -> row.get(column)).toList();
    }
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
        .map(String::strip)
        .toList();
  }

  @Override
  public String toString() {
    return PROJECT.relativize(file).toString();
  }
}
