// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import com.fasterxml.jackson.databind.ObjectWriter;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that sends one request to the daemon and shows the answer.
 *
 * @param <T> the record of the REST API that is the answer
 */
public abstract class RestCommand<T> implements Callable<Integer> {
  private static final ObjectWriter JSON = ApiJson.mapper().writerWithDefaultPrettyPrinter();

  @Spec private CommandSpec spec;

  protected abstract T ask(RaidNodeClient client) throws IOException;

  /**
   * Returns the answer of the daemon. Commands that also work without a daemon override this
   * method.
   */
  protected T ask(ShellOptions shell) throws IOException {
    return ask(client(shell));
  }

  /** Returns why something is changed; empty for commands that change nothing. */
  protected String reason() {
    return "";
  }

  /** Returns a client that also sends the reason. */
  protected final RaidNodeClient client(ShellOptions shell) throws IOException {
    try {
      return shell.client().withReason(reason());
    } catch (IllegalArgumentException e) {
      throw new ShellException(ExitCode.USAGE, e.getMessage(), "See --reason.");
    }
  }

  protected abstract void show(T answer, Screen screen);

  /** Returns the exit code for an answer. */
  protected ExitCode exitCode(T answer) {
    return ExitCode.OK;
  }

  /** Returns the specification of the command, for messages about its options. */
  protected final CommandSpec spec() {
    return spec;
  }

  @Override
  public Integer call() throws IOException {
    ShellOptions shell = (ShellOptions) spec.root().userObject();
    shell.use(NamedCluster.of(spec));
    return answered(shell, ask(shell));
  }

  /** Prints an answer and returns the number of the exit code. */
  protected Integer answered(ShellOptions shell, T answer) throws IOException {
    if (shell.json()) {
      print(answer);
    } else {
      show(answer, screen());
    }
    return exitCode(answer).number();
  }

  /** Prints a record of the REST API as JSON. */
  protected final void print(Object record) throws IOException {
    spec.commandLine().getOut().println(JSON.writeValueAsString(record));
  }

  protected final Screen screen() {
    return Screen.of(spec);
  }
}
