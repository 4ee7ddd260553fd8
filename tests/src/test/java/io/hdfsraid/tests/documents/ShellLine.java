// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import io.hdfsraid.bench.Bench;
import io.hdfsraid.demo.DemoCommand;
import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidshell.RaidShell;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.rescue.codec.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A line that a reader of a document may type, in words, without its comment. */
record ShellLine(List<String> words) {
  private static final Path PROJECT = Document.PROJECT;

  static ShellLine of(String line) {
    String command = line.replaceAll("(^| )#.*", "").strip();
    return new ShellLine(command.isEmpty() ? List.of() : Arrays.asList(command.split(" +")));
  }

  /** It runs or edits something of this project. */
  boolean isOurs() {
    return words.stream().anyMatch(word -> word.matches("(bin|conf)/.+|\\./mvnw|\\.ci/run"));
  }

  /** What is wrong with it; empty when all that it names exists. */
  Optional<String> problem() {
    for (String word : words) {
      if (word.matches("(bin|conf)/.+|\\./mvnw|\\.ci/run")
          && !Files.exists(PROJECT.resolve(word))) {
        return wrong("there is no " + word);
      }
    }
    String program = words.get(0);
    List<String> arguments = words.subList(1, words.size());
    if (program.matches("bin/.*|\\./mvnw|\\.ci/run")
        && !Files.isExecutable(PROJECT.resolve(program))) {
      return wrong(program + " is not executable");
    }
    return switch (program) {
      case "bin/raidshell" -> shell(arguments);
      case "bin/raidnode" -> raidNode(arguments);
      case "bin/bench" -> parsed(new CommandLine(new Bench()), arguments);
      case "./mvnw" -> maven(arguments);
      default -> Optional.empty();
    };
  }

  private Optional<String> wrong(String problem) {
    return Optional.of("'%s': %s".formatted(String.join(" ", words), problem));
  }

  /**
   * Runs it, without anybody who could answer: it may find nobody, but it must not be wrong. Asking
   * for help would not do, for then nothing else is looked at.
   */
  private Optional<String> shell(List<String> arguments) {
    if (arguments.isEmpty()) {
      return Optional.empty();
    }
    if (arguments.get(0).equals("bench")) {
      return parsed(new CommandLine(new BenchCommand()), arguments.subList(1, arguments.size()));
    }
    System.setProperty("hdfsraid.conf", PROJECT.resolve("conf").toString()); // as the launcher does
    List<String> toNobody = new ArrayList<>(arguments);
    toNobody.addAll(List.of("--url", "http://127.0.0.1:1"));
    StringWriter said = new StringWriter();
    PrintWriter both = new PrintWriter(said, true);
    return RaidShell.run(both, both, toNobody.toArray(String[]::new)) == ExitCode.USAGE.number()
        ? wrong(said.toString())
        : Optional.empty();
  }

  /** Reads its arguments, and runs nothing: it would take minutes. */
  private Optional<String> parsed(CommandLine command, List<String> arguments) {
    try {
      command.parseArgs(
          arguments.stream().filter(Predicate.not("--help"::equals)).toArray(String[]::new));
      return Optional.empty();
    } catch (ParameterException e) {
      return wrong(e.getMessage());
    }
  }

  private Optional<String> raidNode(List<String> arguments) {
    if (arguments.isEmpty()) {
      return Optional.empty();
    }
    if (arguments.get(0).equals("demo")) {
      return parsed(new CommandLine(new DemoCommand()), arguments.subList(1, arguments.size()));
    }
    return daemonCommands().contains(arguments.get(0))
        ? Optional.empty()
        : wrong("raidnode knows " + daemonCommands());
  }

  private static Set<String> daemonCommands;

  /** As its own help says; asked in a process of its own, which ends with it. */
  private static synchronized Set<String> daemonCommands() {
    if (daemonCommands == null) {
      try {
        Process help =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    RaidNode.class.getName(),
                    "--help")
                .redirectErrorStream(true)
                .start();
        String said = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        daemonCommands =
            Pattern.compile("(?m)^  ([a-z]+(?:, [a-z]+)*)  ")
                .matcher(said)
                .results()
                .flatMap(found -> Stream.of(found.group(1).split(", ", -1)))
                .collect(Collectors.toSet());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return daemonCommands;
  }

  /** The commands that the help of the shell lists. */
  static List<String> shellCommands() {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    RaidShell.run(out, out, "--help");
    return said.toString()
        .lines()
        .dropWhile(line -> !line.equals("Commands:"))
        .skip(1)
        .takeWhile(Predicate.not(String::isBlank))
        .filter(line -> line.matches(" {2}\\S.*"))
        .map(line -> line.strip().split(" ", 2)[0])
        .toList();
  }

  /** Its goals are those that documents should need; modules, profiles and plugins must exist. */
  private Optional<String> maven(List<String> arguments) {
    StringBuilder poms = new StringBuilder(read(PROJECT.resolve("pom.xml")));
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("-pl")) {
        i++;
        for (String module : arguments.get(i).split(",", -1)) {
          Path pom = PROJECT.resolve(module).resolve("pom.xml");
          if (!Files.exists(pom)) {
            return wrong("there is no module " + module);
          }
          poms.append(read(pom));
        }
      } else if (!argument.matches(
          "-P\\w+|\\w+:\\w+|verify|package|test|test-compile|-am|-o|-q|-D[\\w.]+=\\S+|-DskipTests")) {
        return wrong("unexpected " + argument);
      }
    }
    for (String argument : arguments) {
      if (argument.startsWith("-P") && poms.indexOf("<id>" + argument.substring(2) + "</id>") < 0) {
        return wrong("there is no profile " + argument.substring(2));
      }
      String plugin = argument.replaceFirst(":.*", "-maven-plugin");
      if (argument.matches("\\w+:\\w+")
          && poms.indexOf("<artifactId>" + plugin + "</artifactId>") < 0) {
        return wrong("there is no such plugin");
      }
    }
    return Optional.empty();
  }

  private static String read(Path pom) {
    try {
      return Files.readString(pom);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
