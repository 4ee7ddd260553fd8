package io.hdfsraid.raidshell;

import java.util.List;

/**
 * Further commands, found by {@link java.util.ServiceLoader} when their jar is on the class path.
 */
public interface ShellCommands {
  /**
   * Objects annotated with picocli's {@code @Command}, that implement {@code Callable<Integer>} and
   * return an {@link ExitCode#number()}. They may throw {@link ShellException}.
   */
  List<Object> commands();
}
