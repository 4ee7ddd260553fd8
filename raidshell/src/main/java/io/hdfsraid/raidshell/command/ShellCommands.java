// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Further commands of the shell, found by {@link java.util.ServiceLoader} if their jar is on the
 * class path.
 */
public interface ShellCommands {
  /**
   * Returns objects that are annotated with picocli's {@code @Command}, implement {@code
   * Callable<Integer>} and return an {@link ExitCode#number()}. They may throw {@link
   * ShellException}.
   */
  List<Object> commands();

  /** Returns further subcommands by the name of their parent command. */
  default Map<String, List<Object>> subcommands() {
    return Map.of();
  }

  /** Returns what serves the option {@code --offline} of the shell's own commands. */
  default Optional<DirectAccess> directAccess() {
    return Optional.empty();
  }
}
