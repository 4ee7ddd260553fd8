package io.hdfsraid.raidshell;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/**
 * Further commands, found by {@link java.util.ServiceLoader} when their jar is on the class path.
 */
public interface ShellCommands {
  /**
   * Objects annotated with picocli's {@code @Command}, that implement {@code Callable<Integer>} and
   * return an {@link ExitCode#number()}. They may throw {@link ShellException}.
   */
  List<Object> commands();

  /** The same, by the name of the command of the shell that they belong below. */
  default Map<String, List<Object>> subcommands() {
    return Map.of();
  }

  /** What commands of the shell itself do with {@code --offline}. */
  default Optional<WithoutRaidNode> withoutRaidNode() {
    return Optional.empty();
  }

  /**
   * Called when all commands have been added, for what can be told them only then: by now they have
   * the options that every command of the shell has.
   */
  default void complete(CommandLine shell) {}
}
