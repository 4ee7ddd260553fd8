// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Follows a task to its end. On a terminal a bar shows how far the task has come; otherwise a line
 * says so every ten seconds. Both go to stderr. If the user presses Ctrl-C on a terminal, the shell
 * asks whether to cancel the task. Otherwise the task goes on. While the daemon does not answer, as
 * when it is restarted, the watch waits for some minutes.
 */
public final class TaskWatch {
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
  private static final Duration LONGEST_TO_SILENCE = Duration.ofSeconds(3);
  private static final Duration LONGEST_WITHOUT_ANSWER = Duration.ofMinutes(5);

  /** Whoever ends a process with a signal, and is nobody who answers, does not wait long. */
  private static final Duration LONGEST_FOR_AN_ANSWER = Duration.ofSeconds(20);

  private final RaidNodeClient client;
  private final PrintWriter err;
  private final Optional<Console> terminal;
  private final CountDownLatch silent = new CountDownLatch(1);
  private volatile boolean leaving;
  private volatile ChangePreview.Action action = ChangePreview.Action.UNKNOWN;
  private long heardOf = System.nanoTime();
  private boolean complained;

  /** Creates a watch that asks this client and writes to this stream. */
  public TaskWatch(RaidNodeClient client, PrintWriter err) {
    this.client = client;
    this.err = err;
    this.terminal = Terminal.showsErrors() ? Optional.of(System.console()) : Optional.empty();
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

  /** Returns how the task stands. */
  private TaskReport look(String id) throws IOException {
    while (true) {
      try {
        TaskReport task = client.task(id);
        heardOf = System.nanoTime();
        action = task.action();
        complained = false;
        return task;
      } catch (RaidNodeException e) {
        boolean passes = e.code() == ErrorCode.UNREACHABLE || e.code() == ErrorCode.NOT_READY;
        if (!passes) {
          throw e;
        }
        if (leaving || System.nanoTime() - heardOf > LONGEST_WITHOUT_ANSWER.toNanos()) {
          throw new RaidNodeException(
              e.code(),
              e.getMessage(),
              "%s 'raidshell task %s --wait' follows the task again."
                  .formatted(e.hint(), id)
                  .strip(),
              e);
        }
        if (!complained) {
          err.println();
          err.println(e.getMessage() + "; the shell goes on asking for some minutes");
          err.flush();
          complained = true;
        }
        pause();
      }
    }
  }

  /** A state that this version does not know may be an end: the shell does not wait for it. */
  private boolean isOver(TaskReport task) {
    return leaving || task.state().isEnded() || task.state() == TaskState.UNKNOWN;
  }

  private TaskReport followWithBar(String id) throws IOException {
    TaskReport task = look(id);
    while (!isOver(task) && task.progress().steps() == 0) {
      pause();
      task = look(id);
    }
    if (isOver(task)) {
      return task;
    }
    boolean bytes = task.progress().bytes() > 0;
    try (Progress bar =
        new Progress(
            err,
            true,
            task.action() + " " + Screen.printable(task.path()),
            new Progress.Begun(amount(task, bytes), sinceItBegan(task)),
            bytes ? task.progress().bytes() : task.progress().steps(),
            bytes ? Progress.Unit.BYTES : Progress.Unit.ITEMS)) {
      while (true) {
        bar.outOf(bytes ? task.progress().bytes() : task.progress().steps());
        bar.stepTo(amount(task, bytes));
        if (isOver(task)) {
          return task;
        }
        pause();
        task = look(id);
      }
    }
  }

  /** Returns how long the task took for what is done, by the clock of the daemon. */
  private static Duration sinceItBegan(TaskReport task) {
    return task.startedAt()
        .flatMap(began -> task.progress().lastProgressAt().map(at -> Duration.between(began, at)))
        .filter(took -> !took.isNegative())
        .orElse(Duration.ZERO);
  }

  private static long amount(TaskReport task, boolean bytes) {
    TaskProgress now = task.progress();
    return bytes ? now.bytesDone() : now.stepsDone() + now.stepsFailed();
  }

  private TaskReport followWithLines(String id) throws IOException {
    long lastLine = System.nanoTime();
    TaskState shown = TaskState.QUEUED;
    while (true) {
      TaskReport task = look(id);
      if (isOver(task)) {
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
    // The task of a withdrawal only shows how far that is; to cancel the task ends nothing.
    if (terminal.isPresent() && action != ChangePreview.Action.WITHDRAW) {
      String answer = answer(terminal.get(), "Cancel task %s? [y/N] ".formatted(id));
      if (answer.toLowerCase(Locale.ROOT).startsWith("y")) {
        cancel(id);
        return;
      }
    }
    sayItGoesOn(id);
  }

  /** Returns what the user says; empty if nobody says anything in time. */
  private static String answer(Console terminal, String question) {
    FutureTask<String> asked = new FutureTask<>(() -> terminal.readLine("%s", question));
    Thread asking = new Thread(asked, "question");
    asking.setDaemon(true);
    asking.start();
    try {
      String answer = asked.get(LONGEST_FOR_AN_ANSWER.toSeconds(), TimeUnit.SECONDS);
      return answer == null ? "" : answer.strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } catch (ExecutionException | TimeoutException e) {
      return "";
    }
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
    String end =
        action == ChangePreview.Action.WITHDRAW
            ? "raidshell resume --yes"
            : "raidshell tasks cancel %s --yes".formatted(id);
    err.println(
        "Task %s goes on. 'raidshell task %s --wait' follows it, and '%s' ends it."
            .formatted(id, id, end));
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
