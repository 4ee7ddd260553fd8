// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.health.ProbeServlet;
import io.hdfsraid.raidnode.process.PidFile;
import io.hdfsraid.raidnode.process.PidFile.RunningProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks and ends the daemon that runs with a configuration on this machine. */
final class ProcessCommands {
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private final PrintStream out;
  private final PrintStream err;

  ProcessCommands(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  ExitCode status(Settings settings) throws StartException, InterruptedException {
    Optional<RunningProcess> running = running(settings);
    if (running.isEmpty()) {
      out.printf("No daemon runs with %s%n", settings.catalogDirectory());
      return ExitCode.NOT_RUNNING;
    }
    say(running.get(), settings);
    return ExitCode.OK;
  }

  /** Waits until the process listens, also if it then waits for a NameNode, or has ended. */
  ExitCode await(Settings settings, long pid) throws StartException, InterruptedException {
    while (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
      Optional<RunningProcess> running = running(settings);
      if (running.filter(now -> now.pid() == pid && now.admin().isPresent()).isPresent()) {
        say(running.get(), settings);
        return ExitCode.OK;
      }
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
    }
    err.println("raidnode: the daemon has ended");
    return ExitCode.NOT_RUNNING;
  }

  private void say(RunningProcess running, Settings settings) throws InterruptedException {
    boolean several = settings.node().hdfs().nameservices().size() > 1;
    String below = several ? Settings.Place.pathOf("NAME") : "";
    out.printf(
        "Process %d runs since %s%s%n",
        running.pid(),
        running.since(),
        running.rest().map(rest -> ", REST on " + rest + below + "/api/v1").orElse(""));
    out.println(running.admin().isPresent() ? readiness(running.admin().get()) : "It is starting");
  }

  private static String readiness(URI admin) throws InterruptedException {
    HttpRequest ready =
        HttpRequest.newBuilder(admin.resolve(ProbeServlet.READY)).timeout(ANSWERS_WITHIN).build();
    try {
      HttpResponse<Void> answer =
          HttpClient.newBuilder()
              .connectTimeout(ANSWERS_WITHIN)
              .build()
              .send(ready, BodyHandlers.discarding());
      return answer.statusCode() == 200
          ? "It is ready"
          : "It is not ready: it waits for its NameNode or for its ownership; its log says for which";
    } catch (IOException e) {
      return "%s does not answer: %s".formatted(admin, e.getMessage() == null ? e : e.getMessage());
    }
  }

  /**
   * Ends the daemon as SIGTERM does, and waits for its end.
   *
   * @return also OK if none was running
   */
  ExitCode stop(Settings settings, Duration patience) throws StartException, InterruptedException {
    Optional<RunningProcess> running = running(settings);
    if (running.isEmpty()) {
      out.printf("No daemon runs with %s%n", settings.catalogDirectory());
      return ExitCode.OK;
    }
    long pid = running.get().pid();
    Optional<ProcessHandle> process = handle(running.get());
    if (process.isEmpty() || !process.get().destroy()) {
      err.printf(
          "raidnode: process %d cannot be stopped from here: run this command as its user, and in its container%n",
          pid);
      return ExitCode.TROUBLE;
    }
    try {
      process.get().onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      err.printf(
          "raidnode: process %d has been told to stop, but has not ended within %d s. It ends its work on HDFS first. To kill it (kill -9 %d) loses no data: the next daemon takes over where it stood.%n",
          pid, patience.toSeconds(), pid);
      return ExitCode.TROUBLE;
    } catch (ExecutionException e) {
      throw new IllegalStateException("The end of a process cannot fail", e);
    }
    out.printf("Process %d has stopped%n", pid);
    return ExitCode.OK;
  }

  /** Returns the process; empty if the pid is that of another machine or container. */
  private static Optional<ProcessHandle> handle(RunningProcess running) throws StartException {
    try {
      return running.process().runsHere() ? ProcessHandle.of(running.pid()) : Optional.empty();
    } catch (IOException e) {
      throw unknown(e);
    }
  }

  Optional<RunningProcess> running(Settings settings) throws StartException {
    try {
      return PidFile.look(settings.catalogDirectory());
    } catch (IOException e) {
      throw unknown(e);
    }
  }

  private static StartException unknown(IOException e) {
    return new StartException(
        ExitCode.TROUBLE,
        "Whether a daemon runs cannot be found out: %s. Run this command as the user of the daemon."
            .formatted(e),
        e);
  }
}
