// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.manual;

import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidshell.RaidShell;
import io.hdfsraid.raidshell.command.ShellCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Writes the files that the build makes of the command lines; run by the module {@code dist}. */
public final class Manual {
  /** Loads the completion of bash when zsh asks for the first time. */
  private static final String ZSH =
      """
      #compdef raidshell
      autoload -Uz bashcompinit && bashcompinit
      source "${${(%):-%x}:A:h}/raidshell.bash"
      _bash_complete -o default -F _complete_raidshell
      """;

  private Manual() {}

  /** Takes a folder and the version of what is delivered. */
  public static void main(String[] args) throws IOException {
    write(Path.of(args[0]), args[1]);
  }

  static void write(Path folder, String version) throws IOException {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine shell = RaidShell.commandLine(nowhere, nowhere);
    Path man = Files.createDirectories(folder.resolve("man/man1"));
    Files.writeString(man.resolve("raidshell.1"), new ManPage(shell, version, "raidnode").text());
    Files.writeString(
        man.resolve("raidnode.1"),
        new ManPage(RaidNode.commandLine(), version, "raidshell").text());
    Path completion = Files.createDirectories(folder.resolve("completion"));
    Files.writeString(completion.resolve("raidshell.bash"), AutoComplete.bash("raidshell", shell));
    Files.writeString(completion.resolve("_raidshell"), ZSH);
    Path launcher = Files.createDirectories(folder.resolve("lib"));
    Files.writeString(launcher.resolve("raidshell.words"), words());
  }

  /** Returns which words of a command line say whether it needs more than the shell's own jar. */
  private static String words() {
    List<String> working =
        ServiceLoader.load(ShellCommands.class).stream()
            .map(ServiceLoader.Provider::get)
            .flatMap(
                more ->
                    Stream.concat(
                        more.commands().stream(),
                        more.subcommands().values().stream().flatMap(List::stream)))
            .map(command -> command.getClass().getAnnotation(Command.class))
            .flatMap(
                command -> Stream.concat(Stream.of(command.name()), Stream.of(command.aliases())))
            .sorted()
            .toList();
    List<String> asking =
        RaidShell.commandNames().stream().filter(name -> !name.equals("help")).sorted().toList();
    return Stream.of(
            "asking=' %s '".formatted(String.join(" ", asking)),
            "working=' %s '".formatted(String.join(" ", working)))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
