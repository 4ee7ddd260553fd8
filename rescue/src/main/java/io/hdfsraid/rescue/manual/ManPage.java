// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.manual;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page of a command line with all its commands, in the macros of {@code man(7)}.
 * picocli's own generator writes AsciiDoc, for which the build would need Asciidoctor and a Ruby.
 */
final class ManPage {
  private final CommandSpec root;
  private final String version;
  private final String also;
  private final StringBuilder roff = new StringBuilder();

  /**
   * Prepares a page.
   *
   * @param also the name of the other page of section 1
   */
  ManPage(CommandLine commandLine, String version, String also) {
    this.root = commandLine.getCommandSpec();
    this.version = version;
    this.also = also;
  }

  /** Returns the page in roff. */
  String text() {
    String name = root.name();
    request(
        "TH %s 1 \"\" \"HDFS-RAID %s\" \"HDFS-RAID\""
            .formatted(name.toUpperCase(Locale.ROOT), version));
    request("SH NAME");
    line(name + " - " + sentence(root).replaceFirst("\\.$", ""));
    request("SH SYNOPSIS");
    request("B " + escaped(name));
    line("[OPTIONS] COMMAND [ARGUMENTS]");
    request("SH OPTIONS OF EVERY COMMAND");
    options(root, List.of());
    request("SH COMMANDS");
    commands(root);
    request("SH EXIT STATUS");
    root.usageMessage().exitCodeList().forEach(this::entry);
    request("SH SEE ALSO");
    request("BR " + also + " (1)");
    return roff.toString();
  }

  private void commands(CommandSpec parent) {
    parent.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .distinct()
        .filter(each -> !each.usageMessage().hidden())
        .forEach(
            command -> {
              command(command);
              commands(command);
            });
  }

  private void command(CommandSpec command) {
    String synopsis = new Help(command, Ansi.OFF).abbreviatedSynopsis().strip();
    request("SS \"" + escaped(synopsis.replaceFirst("^" + root.name() + " ", "")) + "\"");
    Stream.of(command.usageMessage().description()).forEach(this::line);
    Help help = new Help(command, Ansi.OFF);
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      entry(
          parameter.paramLabel(),
          rendered(
              help.createDefaultParameterRenderer()
                  .render(parameter, help.createDefaultParamLabelRenderer(), help.colorScheme())));
    }
    options(command, root.options().stream().map(OptionSpec::longestName).toList());
  }

  private void options(CommandSpec command, List<String> shownAlready) {
    Help help = new Help(command, Ansi.OFF);
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && !shownAlready.contains(option.longestName())) {
        String value = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
        entry(
            String.join(", ", option.names()) + value,
            rendered(
                help.createDefaultOptionRenderer()
                    .render(option, help.createDefaultParamLabelRenderer(), help.colorScheme())));
      }
    }
  }

  /** Returns the last column of a row of a help text: the description, with the defaults. */
  private static String rendered(Ansi.Text[][] rows) {
    return Stream.of(rows)
        .map(row -> row[row.length - 1].toString())
        .filter(text -> !text.isBlank())
        .collect(Collectors.joining(" "));
  }

  private static String sentence(CommandSpec command) {
    return String.join(" ", command.usageMessage().description());
  }

  private void entry(String term, String description) {
    request("TP");
    request("B " + escaped(term));
    line(description);
  }

  private void request(String request) {
    roff.append('.').append(request).append('\n');
  }

  private void line(String text) {
    roff.append("\\&").append(escaped(text)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq").replace("%n", " ");
  }
}
