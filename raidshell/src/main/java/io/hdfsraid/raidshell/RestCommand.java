package io.hdfsraid.raidshell;

import com.fasterxml.jackson.databind.ObjectWriter;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that asks the daemon one thing and shows the answer.
 *
 * @param <T> the record of the REST API that is the answer
 */
abstract class RestCommand<T> implements Callable<Integer> {
  private static final ObjectWriter JSON = ApiJson.mapper().writerWithDefaultPrettyPrinter();

  @Spec private CommandSpec spec;

  abstract T ask(RaidNodeClient client) throws IOException;

  /** Asks the daemon, unless a command knows somebody else. */
  T ask(RaidShell shell) throws IOException {
    return ask(shell.client());
  }

  abstract void show(T answer, Screen screen);

  /** What the answer means to a script. */
  ExitCode exitCode(T answer) {
    return ExitCode.OK;
  }

  /** For what an option of its own asks for. */
  final CommandSpec spec() {
    return spec;
  }

  @Override
  public Integer call() throws IOException {
    RaidShell shell = (RaidShell) spec.root().userObject();
    T answer = ask(shell);
    PrintWriter out = spec.commandLine().getOut();
    if (shell.json()) {
      out.println(JSON.writeValueAsString(answer));
    } else {
      show(answer, new Screen(out));
    }
    return exitCode(answer).number();
  }
}
