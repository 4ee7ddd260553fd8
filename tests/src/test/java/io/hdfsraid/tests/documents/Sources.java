// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the source tree knows by name. */
final class Sources {
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum|@interface) ([A-Z]\\w*)");
  private static final Pattern IMPORTED = Pattern.compile("(?m)^import [\\w.]+\\.([A-Z]\\w*);");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern JOB =
      Pattern.compile("(?:\\bnew Job\\(\\s*|_JOB = )\"([a-z-]+)\"\\s*[,;]");
  private static final Pattern ANNOUNCED = Pattern.compile("\\breached\\(\\s*([A-Z]\\w*)\\.");

  /** The text of each file, by its path in the project. */
  private final Map<Path, String> texts = new HashMap<>();

  private final Set<String> words = new HashSet<>();

  private Sources() {}

  /** Sources of all modules, configuration and build files. */
  static Sources read() {
    Sources sources = new Sources();
    try (Stream<Path> top = Files.list(Document.PROJECT)) {
      for (Path entry : top.toList()) {
        sources.add(entry.resolve("src"));
        sources.add(entry.resolve("pom.xml"));
      }
      for (String name : new String[] {"conf", "bin", "pom.xml"}) {
        sources.add(Document.PROJECT.resolve(name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sources;
  }

  private void add(Path place) throws IOException {
    if (!Files.exists(place)) {
      return;
    }
    try (Stream<Path> files = Files.walk(place)) {
      for (Path file : files.filter(Sources::isText).toList()) {
        // Not the text of these tests: it names what must not be.
        String text = isOfDocuments(file) ? "class " + typeOf(file) : Files.readString(file);
        texts.put(file, text);
        WORD.matcher(text).results().forEach(word -> words.add(word.group()));
      }
    }
  }

  private static boolean isText(Path file) {
    return Files.isRegularFile(file)
        && (file.toString().matches(".*\\.(java|yml|xml|sh)") || file.getParent().endsWith("bin"));
  }

  private static boolean isOfDocuments(Path file) {
    return file.getParent().getFileName().toString().equals("documents");
  }

  private static String typeOf(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  /** Types that are declared here, or imported from elsewhere. */
  Set<String> types() {
    return texts.values().stream()
        .flatMap(
            text ->
                Stream.concat(DECLARED.matcher(text).results(), IMPORTED.matcher(text).results()))
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  Set<String> words() {
    return words;
  }

  /** As a whole, not as part of a longer name. */
  boolean contains(String name) {
    Pattern whole = Pattern.compile("(?<![\\w.-])" + Pattern.quote(name) + "(?![\\w-])");
    return texts.values().stream()
        .anyMatch(source -> source.contains(name) && whole.matcher(source).find());
  }

  /** A package below the base package, such as {@code drfs.hdfs}. */
  static boolean hasPackage(String name) {
    String module = name.split("\\.", 2)[0];
    return Files.isDirectory(
        Document.PROJECT
            .resolve(module)
            .resolve("src/main/java/io/hdfsraid")
            .resolve(name.replace('.', '/')));
  }

  /** The enums whose values the product announces as steps. */
  Set<String> announced() {
    return inMain(ANNOUNCED);
  }

  /** The names of the jobs of the daemon, but for those that are put together. */
  Set<String> jobs() {
    return inMain(JOB);
  }

  private Set<String> inMain(Pattern pattern) {
    return texts.entrySet().stream()
        .filter(entry -> entry.getKey().toString().contains("/src/main/"))
        .flatMap(entry -> pattern.matcher(entry.getValue()).results())
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }
}
