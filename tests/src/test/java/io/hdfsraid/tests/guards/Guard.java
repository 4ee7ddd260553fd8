package io.hdfsraid.tests.guards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A piece of code without which data could be lost.
 *
 * @param name what it stands for
 * @param type the class it is in, below the base package
 * @param code its text, whatever its line breaks; occurs once
 * @param without what is left when it is taken out; compiles
 * @param test {@code package.Class.method} below the base package, which must fail then
 */
record Guard(String name, String type, String code, String without, String test) {
  /** The folder of the project; tests run in the folder of their module. */
  static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private static final String BASE = "io/hdfsraid/";

  /** The module is the first part of every package below the base. */
  private static String module(String name) {
    return name.substring(0, name.indexOf('.'));
  }

  Path source() {
    return PROJECT
        .resolve(module(type))
        .resolve("src/main/java")
        .resolve(BASE + type.replace('.', '/') + ".java");
  }

  Path sourceOfTest() {
    return PROJECT
        .resolve(module(test))
        .resolve("src/test/java")
        .resolve(BASE + testClass().substring("io.hdfsraid.".length()).replace('.', '/') + ".java");
  }

  String testModule() {
    return module(test);
  }

  String testClass() {
    return "io.hdfsraid." + test.substring(0, test.lastIndexOf('.'));
  }

  String testMethod() {
    return test.substring(test.lastIndexOf('.') + 1);
  }

  /** Whether its test starts a cluster, or processes; the others run in memory. */
  boolean needsHdfs() {
    return test.contains(".hdfs.") || testModule().equals("tests");
  }

  private Matcher in(String text) {
    String words =
        Arrays.stream(code.strip().split("\\s+"))
            .map(Pattern::quote)
            .collect(Collectors.joining("\\s+"));
    return Pattern.compile(words).matcher(text);
  }

  /** How often its code occurs in its class: once, if the list of guards is right. */
  long occurrences() throws IOException {
    return in(Files.readString(source())).results().count();
  }

  /** Its class without it. */
  String taken() throws IOException {
    return in(Files.readString(source())).replaceFirst(Matcher.quoteReplacement(without));
  }

  @Override
  public String toString() {
    return name;
  }

  /** All of them. */
  static List<Guard> all() {
    return Guards.ALL;
  }
}
