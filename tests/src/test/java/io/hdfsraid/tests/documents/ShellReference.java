// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import io.hdfsraid.raidshell.RaidShell;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The part of docs/shell.md that is generated: the help text of every command, without what all
 * commands have in common.
 */
final class ShellReference {
  private static final int WIDTH = 100;

  /** Options that every command has; docs/shell.md explains them once. */
  private static final Pattern COMMON_OPTION =
      Pattern.compile(
          " {2,}(?:-h, )?(?:-V, )?--(?:cacert|help|json|kerberos|nameservice|token-file|url|version|verbose|wide)\\b.*");

  private static final Set<String> COMMON_IN_SYNOPSIS =
      Set.of(
          "[-hV]",
          "[--cacert=FILE]",
          "[--kerberos]",
          "[--json]",
          "[--nameservice=NAME]",
          "[--verbose]",
          "[--wide]",
          "[--token-file=FILE]",
          "[--url=URL]");

  private ShellReference() {}

  /** The commands in the order of the shell's own help, each followed by its subcommands. */
  static String markdown() {
    StringBuilder text = new StringBuilder();
    for (String command : commandsOf(List.of())) {
      write(List.of(command), text);
    }
    return text.toString();
  }

  private static void write(List<String> command, StringBuilder text) {
    List<String> help = help(command);
    text.append("\n### ").append(String.join(" ", command)).append("\n\n```text\n");
    ownPart(help).forEach(line -> text.append(line).append('\n'));
    text.append("```\n");
    for (String below : commandsOf(command)) {
      List<String> longer = new ArrayList<>(command);
      longer.add(below);
      write(longer, text);
    }
  }

  private static List<String> help(List<String> command) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    List<String> words = new ArrayList<>(command);
    words.add("--help");
    RaidShell.run(out, out, words.toArray(String[]::new));
    return said.toString().lines().toList();
  }

  private static List<String> commandsOf(List<String> command) {
    return section(help(command), "Commands:").stream()
        .filter(line -> line.matches(" {2}\\S.*"))
        .map(line -> line.strip().split("[ ,]", 2)[0])
        .filter(name -> !name.equals("help")) // its own help is that of the shell
        .toList();
  }

  /** Synopsis, description, parameters and options; without options that every command has. */
  private static List<String> ownPart(List<String> help) {
    List<String> description =
        help.stream()
            .dropWhile(line -> line.startsWith("Usage:") || line.startsWith("  "))
            .takeWhile(Predicate.not(String::isBlank))
            .toList();
    List<String> text = new ArrayList<>(synopsis(help));
    text.addAll(description);
    for (String heading : List.of("Parameters:", "Options:")) {
      List<String> lines = withoutCommonOptions(section(help, heading));
      if (!lines.isEmpty()) {
        text.add("");
        text.add(heading);
        text.addAll(lines);
      }
    }
    return text;
  }

  private static List<String> synopsis(List<String> help) {
    String all =
        String.join(
            " ",
            help.stream()
                .takeWhile(line -> line.startsWith("Usage:") || line.startsWith("  "))
                .map(String::strip)
                .toList());
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    // Picocli breaks lines after a comma, too.
    for (String word : all.replaceFirst("^Usage: ", "").replace("[, ", "[,").split(" ", -1)) {
      if (COMMON_IN_SYNOPSIS.contains(word)) {
        continue;
      }
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder("   ");
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static List<String> section(List<String> help, String heading) {
    return help.stream()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(Predicate.not(String::isBlank))
        .toList();
  }

  /** An option that goes on in further lines is one entry, whose later lines are indented more. */
  private static List<String> withoutCommonOptions(List<String> lines) {
    List<String> kept = new ArrayList<>();
    boolean common = false;
    for (String line : lines) {
      boolean begins = line.matches(" {2,8}(?:-|\\[|[A-Z]).*");
      common = begins ? COMMON_OPTION.matcher(line).matches() : common;
      if (!common) {
        kept.add(line);
      }
    }
    return kept;
  }

  /** What stands in a text between two lines is replaced. */
  static String replaced(String text, String name, String part) {
    String begin = "<!-- " + name + " -->\n";
    String end = "<!-- /" + name + " -->";
    return text.substring(0, text.indexOf(begin) + begin.length())
        + part
        + text.substring(text.indexOf(end));
  }
}
