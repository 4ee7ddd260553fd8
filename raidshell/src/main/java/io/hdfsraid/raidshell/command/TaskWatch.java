// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskProgress;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import java.io.Console;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows a task to its end. On a terminal a bar shows how far the task has come; otherwise a line
 * says so every ten seconds. Both go to stderr. If the user presses Ctrl-C on a terminal, the shell
 * asks whether to cancel the task. Otherwise the task goes on.
 */
public final class TaskWatch {
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
  private static final Duration LONGEST_TO_SILENCE = Duration.ofSeconds(3);

  private final RaidNodeClient client;
  private final PrintWriter err;
  private final Optional<Console> terminal;
  private final CountDownLatch silent = new CountDownLatch(1);
  private volatile boolean leaving;

  /** Creates a watch that asks this client and writes to this stream. */
  public TaskWatch(RaidNodeClient client, PrintWriter err) {
    this.client = client;
    this.err = err;
    this.terminal = Terminal.watched() ? Optional.of(System.console()) : Optional.empty();
  }

  /** Returns the task when it has ended. */
  public TaskReport follow(String id) throws IOException {
    Thread hook = new Thread(() -> leave(id), "leave");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return terminal.isPresent() ? followWithBar(id) : followWithLines(id);
    } finally {
      if (leaving) {
        awaitEnd();
      }
      stay(hook);
    }
  }

  /** Says nothing more: the process ends as soon as the user has answered. */
  private void awaitEnd() throws InterruptedIOException {
    silent.countDown();
    sleep(Long.MAX_VALUE);
  }

  private static void stay(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The user has left already.
    }
  }

  private TaskReport followWithBar(String id) throws IOException {
    TaskReport task = client.task(id);
    while (!task.state().isEnded() && task.progress().steps() == 0 && !leaving) {
      pause();
      task = client.task(id);
    }
    if (task.state().isEnded() || leaving) {
      return task;
    }
    boolean bytes = task.progress().bytes() > 0;
    try (Progress bar =
        new Progress(
            err,
            true,
            task.action() + " " + Screen.printable(task.path()),
            bytes ? task.progress().bytes() : task.progress().steps(),
            bytes ? Progress.Unit.BYTES : Progress.Unit.ITEMS)) {
      while (true) {
        TaskProgress now = task.progress();
        bar.stepTo(bytes ? now.bytesDone() : now.stepsDone() + now.stepsFailed());
        if (task.state().isEnded() || leaving) {
          return task;
        }
        pause();
        task = client.task(id);
      }
    }
  }

  private TaskReport followWithLines(String id) throws IOException {
    long lastLine = System.nanoTime();
    TaskState shown = TaskState.QUEUED;
    while (true) {
      TaskReport task = client.task(id);
      if (task.state().isEnded() || leaving) {
        return task;
      }
      long now = System.nanoTime();
      if (task.state() != shown || now - lastLine >= BETWEEN_LINES.toNanos()) {
        err.println(sentence(task));
        err.flush();
        shown = task.state();
        lastLine = now;
      }
      pause();
    }
  }

  /** Returns how far a task has come, in one line. */
  public static String sentence(TaskReport task) {
    TaskProgress progress = task.progress();
    StringBuilder words = new StringBuilder();
    words
        .append("%s %s: %s".formatted(task.action(), Screen.printable(task.path()), task.state()))
        .append(String.format(Locale.ROOT, ", %.1f %%", progress.percent()))
        .append(", %d of %d steps".formatted(progress.stepsDone(), progress.steps()));
    if (progress.stepsFailed() > 0) {
      words.append(", %d not carried out".formatted(progress.stepsFailed()));
    }
    if (progress.bytes() > 0) {
      words.append(
          ", %s of %s, %s/s"
              .formatted(
                  Screen.bytes(progress.bytesDone()),
                  Screen.bytes(progress.bytes()),
                  Screen.bytes(progress.bytesPerSecond())));
    }
    progress.eta().ifPresent(left -> words.append(", %s left".formatted(Screen.duration(left))));
    return words.toString();
  }

  /** Runs when the process is told to end while it follows the task. */
  private void leave(String id) {
    leaving = true;
    try {
      // The bar would write over the question.
      silent.await(LONGEST_TO_SILENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    err.println();
    if (terminal.isPresent()) {
      String answer = terminal.get().readLine("Cancel task %s? [y/N] ", id);
      if (answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
        cancel(id);
        return;
      }
    }
    sayItGoesOn(id);
  }

  private void cancel(String id) {
    try {
      ChangePreview answer = client.cancelTask(id, new CancelTaskRequest(false));
      answer.items().stream()
          .filter(item -> item.refused().isPresent())
          .forEach(item -> err.println(item.what()));
      err.println(answer.note());
    } catch (IOException e) {
      err.println("raidshell: The task could not be cancelled: " + e.getMessage());
      sayItGoesOn(id);
    }
    err.flush();
  }

  private void sayItGoesOn(String id) {
    err.println(
        "Task %s goes on. 'raidshell task %s --wait' follows it, and 'raidshell tasks cancel %s --yes' cancels it."
            .formatted(id, id, id));
    err.flush();
  }

  private static void pause() throws InterruptedIOException {
    sleep(1);
  }

  private static void sleep(long seconds) throws InterruptedIOException {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while following the task; the task goes on")
              .initCause(e);
    }
  }
}
