// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import io.hdfsraid.raidnode.rest.tasks.TaskWork.Step;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskQueueTest {
  @TempDir Path folder;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final SetClock clock = new SetClock();
  private Catalog catalog;
  private Tasks tasks;
  private TaskQueue queue;

  private static final class SetClock extends Clock {
    private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    void pass(Duration time) {
      now = now.plus(time);
    }
  }

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, clock);
    tasks = new Tasks(catalog.tasks(), clock);
    queue = new TaskQueue(tasks, KnownTrouble.NONE, 10);
  }

  @AfterEach
  void close() {
    queue.close();
    catalog.close();
  }

  private static ChangePreview plan(String path, long files) {
    return new ChangePreview(Action.RAID, path, Outcome.ACCEPTED, files, 0, 0, 0, "");
  }

  private String accept(String path, TaskWork work) {
    return queue.change(plan(path, 1), "alice", work).task().orElseThrow();
  }

  private TaskReport find(String id) {
    return tasks.find(id).orElseThrow();
  }

  private void waitForEver() throws InterruptedIOException {
    begun.countDown();
    try {
      never.await();
    } catch (InterruptedException e) {
      seen.add("cut off");
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  @Test
  void whatRunsIsCutOffAndWhatWaitsIsDroppedAndTheRestIsDone() throws Exception {
    String running = accept("/running", meter -> waitForEver());
    String dropped = accept("/dropped", meter -> seen.add("dropped"));
    String kept =
        accept("/kept", meter -> seen.add(Thread.currentThread().isInterrupted() ? "hit" : "kept"));
    begun.await();

    assertThat(queue.entries())
        .extracting(entry -> entry.subject() + " " + entry.running())
        .containsExactly("/running true", "/dropped false", "/kept false");
    assertThat(find(running).state()).isEqualTo(TaskState.RUNNING);
    queue.cancel(
        queue.entries().stream().filter(entry -> !entry.subject().equals("/kept")).toList(), "bob");
    queue.finish();

    assertThat(seen).containsExactly("cut off", "kept");
    assertThat(queue.entries()).isEmpty();
    assertThat(find(running).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(find(running).reason()).isEqualTo("Cancelled by bob");
    assertThat(find(dropped).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(find(dropped).startedAt()).isEmpty();
    assertThat(find(kept).state()).isEqualTo(TaskState.DONE);
  }

  private static Step step(String path, long bytes, TaskWork.StepWork work) {
    return new Step(path, bytes, work);
  }

  @Test
  void progressIsCountedInBytesOfTheStepsAndGivesRateAndTime() throws Exception {
    Phaser phase = new Phaser(2);
    Cause.Scope cause = new Cause("r-1", "too cold").open();
    String id =
        accept(
            "/w",
            TaskWork.of(
                List.of(
                    step(
                        "/w/a",
                        1_000,
                        read -> {
                          read.accept(250);
                          phase.arriveAndAwaitAdvance();
                          phase.arriveAndAwaitAdvance();
                          read.accept(5_000); // more than planned does not count twice
                          return Optional.empty();
                        }),
                    step("/w/b", 0, read -> Optional.empty()))));
    cause.close();
    phase.arriveAndAwaitAdvance();
    clock.pass(Duration.ofSeconds(5));

    TaskReport half = find(id);
    assertThat(half.state()).isEqualTo(TaskState.RUNNING);
    assertThat(half.progress().percent()).isEqualTo(25);
    assertThat(half.progress().bytesDone()).isEqualTo(250);
    assertThat(half.progress().bytes()).isEqualTo(1_000);
    assertThat(half.progress().bytesPerSecond()).isEqualTo(50);
    assertThat(half.progress().eta()).contains(Duration.ofSeconds(15));
    assertThat(half.progress().steps()).isEqualTo(2);
    assertThat(half.by()).isEqualTo("alice");
    assertThat(half.requestId()).isEqualTo("r-1");
    assertThat(half.operatorReason()).isEqualTo("too cold");
    phase.arriveAndAwaitAdvance();
    queue.finish();

    TaskReport done = find(id);
    assertThat(done.state()).isEqualTo(TaskState.DONE);
    assertThat(done.progress().percent()).isEqualTo(100);
    assertThat(done.progress().bytesDone()).isEqualTo(1_000);
    assertThat(done.progress().stepsDone()).isEqualTo(2);
    assertThat(done.progress().eta()).isEmpty();
    assertThat(done.reason()).isEmpty();
    assertThat(done.change().orElseThrow().task()).contains(id);
  }

  @Test
  void whatWasNotDoneIsSaid() throws Exception {
    Step fine = step("/a", 1, read -> Optional.empty());
    Step left = step("/b", 1, read -> Optional.of("it is open"));
    Step broken =
        step(
            "/c",
            1,
            read -> {
              throw new IOException("no NameNode");
            });
    String partly = accept("/1", TaskWork.of(List.of(broken, left, fine)));
    String failed = accept("/2", TaskWork.of(List.of(left)));
    String thrown =
        accept(
            "/3",
            meter -> {
              throw new IllegalStateException("a bug");
            });
    String skipped =
        queue
            .change(
                new ChangePreview(
                    Action.RAID, "/4", Outcome.ACCEPTED, 3, 2, 0, 0, 0, List.of(), 0, Map.of(), ""),
                "alice",
                TaskWork.of(List.of(fine)))
            .task()
            .orElseThrow();
    queue.finish();

    assertThat(find(partly).state()).isEqualTo(TaskState.PARTLY_DONE);
    assertThat(find(partly).reason())
        .isEqualTo("2 of 3 steps were not carried out. /c: no NameNode");
    assertThat(find(partly).progress().stepsFailed()).isEqualTo(2);
    assertThat(find(failed).state()).isEqualTo(TaskState.FAILED);
    assertThat(find(failed).reason()).endsWith("/b: it is open");
    assertThat(find(thrown).state()).isEqualTo(TaskState.FAILED);
    assertThat(find(thrown).reason()).contains("its log").doesNotContain("a bug");
    assertThat(find(skipped).state()).isEqualTo(TaskState.PARTLY_DONE);
    assertThat(find(skipped).reason()).contains("2 files were skipped");
  }

  @Test
  void whatAFailedStepHasNotReadIsReadByNobody() throws Exception {
    Step broken =
        step(
            "/a",
            3_000,
            read -> {
              read.accept(1_000);
              throw new IOException("no replica");
            });
    Step fine =
        step(
            "/b",
            1_000,
            read -> {
              read.accept(1_000);
              return Optional.empty();
            });
    String id = accept("/", TaskWork.of(List.of(broken, fine)));
    queue.finish();

    assertThat(find(id).progress().bytesDone()).isEqualTo(2_000);
    assertThat(find(id).progress().bytes()).isEqualTo(2_000);
    assertThat(find(id).progress().percent()).isEqualTo(100);
  }

  /** A NameNode that is away, and is well again as soon as somebody has seen the task wait. */
  private static final class Trouble implements KnownTrouble {
    private volatile boolean on;

    @Override
    public boolean explains(Throwable failure) {
      on |= failure.getMessage().equals("no NameNode");
      return on;
    }

    @Override
    public boolean isOn() {
      return on;
    }
  }

  @Test
  void aTaskWaitsForTheNameNodeAndLosesNoStep() throws Exception {
    Trouble trouble = new Trouble();
    TaskQueue patient = new TaskQueue(tasks, trouble, 10);
    Step cutShort =
        step(
            "/a",
            1_000,
            read -> {
              seen.add("a");
              if (seen.size() == 1) {
                throw new IOException("no NameNode");
              }
              return Optional.empty();
            });
    Step next =
        step(
            "/b",
            0,
            read -> {
              seen.add("b");
              return Optional.empty();
            });
    String id =
        patient
            .change(plan("/", 2), "alice", TaskWork.of(List.of(cutShort, next)))
            .task()
            .orElseThrow();
    while (!find(id).reason().startsWith("It waits")) {
      assertThat(find(id).state().isEnded()).as("%s", find(id)).isFalse();
    }
    trouble.on = false;
    patient.finish();

    assertThat(seen).containsExactly("a", "a", "b");
    assertThat(find(id).state()).isEqualTo(TaskState.DONE);
    assertThat(find(id).reason()).isEmpty();
    patient.close();
  }

  @Test
  void aTaskThatWaitsForTheNameNodeCanBeCancelled() throws Exception {
    Trouble trouble = new Trouble();
    trouble.on = true;
    TaskQueue patient = new TaskQueue(tasks, trouble, 10);
    String id =
        patient
            .change(
                plan("/", 1),
                "alice",
                TaskWork.of(List.of(step("/a", 0, read -> Optional.empty()))))
            .task()
            .orElseThrow();
    while (!find(id).reason().startsWith("It waits")) {
      assertThat(find(id).state().isEnded()).as("%s", find(id)).isFalse();
    }
    patient.cancel(patient.entries(), "bob");
    patient.finish();

    assertThat(find(id).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(find(id).progress().stepsFailed()).isZero();
    patient.close();
  }

  @Test
  void tasksAreListedNewestFirstPageByPageAndByState() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      boolean bad = i == 2;
      ids.add(
          accept(
              "/" + i,
              TaskWork.of(List.of(step("/" + i, 0, r -> Optional.of("no").filter(w -> bad))))));
    }
    queue.finish();
    TaskService service = new TaskService(tasks);

    Page<TaskReport> first = service.list(Optional.empty(), Paging.first(3));
    Page<TaskReport> rest =
        service.list(Optional.empty(), Paging.first(3).after(first.next().orElseThrow()));
    assertThat(first.items()).extracting(TaskReport::path).containsExactly("/4", "/3", "/2");
    assertThat(rest.items()).extracting(TaskReport::path).containsExactly("/1", "/0");
    assertThat(rest.next()).isEmpty();
    assertThat(first.items()).allSatisfy(task -> assertThat(task.change()).isEmpty());
    assertThat(service.list(Optional.of(TaskState.FAILED), Paging.FIRST).items())
        .extracting(TaskReport::id)
        .containsExactly(ids.get(2));
    assertThatThrownBy(() -> service.list(Optional.empty(), Paging.FIRST.after("x")))
        .isInstanceOf(ApiFailure.class);
    assertThatThrownBy(() -> service.find("99")).hasMessage("There is no task 99");
    assertThatThrownBy(() -> service.find("x")).isInstanceOf(ApiFailure.class);
  }

  @Test
  void aTaskIsCancelledOnlyIfItIsToldTo() throws Exception {
    String id = accept("/running", meter -> waitForEver());
    begun.await();
    TaskService service = new TaskService(tasks);

    assertThat(service.cancel(id, new CancelTaskRequest(null), "bob").outcome())
        .isEqualTo(Outcome.PLANNED);
    assertThat(seen).isEmpty();
    assertThat(service.cancel(id, new CancelTaskRequest(false), "bob").outcome())
        .isEqualTo(Outcome.DONE);
    queue.finish();
    assertThat(find(id).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(service.cancel(id, new CancelTaskRequest(false), "bob").outcome())
        .isEqualTo(Outcome.NOTHING_TO_DO);
  }

  @Test
  void aTaskThatDiedWithItsDaemonIsReportedAsFailedByTheNext() throws Exception {
    String ended = accept("/ended", TaskWork.of(List.of(step("/a", 0, r -> Optional.empty()))));
    String running = accept("/running", meter -> waitForEver());
    String waiting = accept("/waiting", meter -> seen.add("waiting"));
    begun.await();
    close();
    open();

    assertThat(find(ended).state()).isEqualTo(TaskState.DONE);
    assertThat(find(running).state()).isEqualTo(TaskState.FAILED);
    assertThat(find(running).reason()).startsWith("The daemon ended before the task did");
    assertThat(find(running).endedAt()).isPresent();
    assertThat(find(running).change()).isPresent();
    assertThat(find(waiting).state()).isEqualTo(TaskState.FAILED);
    assertThat(seen).containsExactly("cut off");
    String next = accept("/next", meter -> seen.add("next"));
    assertThat(Long.parseLong(next)).isGreaterThan(Long.parseLong(waiting));
  }

  @Test
  void oldTasksAreForgottenAndATaskThatRunsIsNot() throws Exception {
    TaskQueue other = new TaskQueue(tasks, KnownTrouble.NONE, 10);
    String old = accept("/old", meter -> seen.add("old"));
    queue.finish();
    String running =
        other.change(plan("/running", 1), "alice", meter -> waitForEver()).task().orElseThrow();
    begun.await();
    clock.pass(Duration.ofDays(8));
    TaskQueue third = new TaskQueue(tasks, KnownTrouble.NONE, 2_000);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 1_010; i++) {
      ids.add(third.change(plan("/" + i, 1), "alice", meter -> {}).task().orElseThrow());
    }
    third.finish();
    TaskQueue last = new TaskQueue(tasks, KnownTrouble.NONE, 1);
    last.change(plan("/", 0), "alice", meter -> {});
    last.finish();

    assertThat(tasks.find(old)).isEmpty();
    assertThat(tasks.find(running)).isPresent();
    assertThat(catalog.tasks().find(Long.parseLong(running))).as("also stored").isPresent();
    assertThat(tasks.find(ids.get(0))).isEmpty();
    assertThat(tasks.find(ids.get(1_009))).isPresent();
    assertThat(tasks.newest(Optional.empty(), Optional.empty(), 5_000).size()).isLessThan(1_010);
    other.close();
    third.close();
  }

  @Test
  void questionsOfOnePersonLeaveRoomAndPushOutNoChanges() throws Exception {
    accept("/running", meter -> waitForEver());
    begun.await();
    for (int i = 0; i < 3; i++) {
      queue.question(Action.FSCK, "/", "mallory", meter -> {});
    }
    assertThatThrownBy(() -> queue.question(Action.FSCK, "/", "mallory", meter -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    queue.question(Action.FSCK, "/", "bob", meter -> {});
    queue.cancel(queue.entries().subList(0, 1), "bob");
    queue.finish();

    TaskQueue changes = new TaskQueue(tasks, KnownTrouble.NONE, 10);
    String change = changes.change(plan("/a", 1), "alice", meter -> {}).task().orElseThrow();
    changes.finish();
    TaskQueue questions = new TaskQueue(tasks, KnownTrouble.NONE, 2_000);
    for (int i = 0; i < 1_100; i++) {
      questions.question(Action.FSCK, "/", "person " + i, meter -> {});
    }
    questions.finish();
    TaskQueue last = new TaskQueue(tasks, KnownTrouble.NONE, 1);
    last.question(Action.FSCK, "/", "bob", meter -> {});
    last.finish();
    assertThat(tasks.find(change)).isPresent();
    assertThat(tasks.newest(Optional.empty(), Optional.empty(), 5_000)).hasSizeLessThan(110);
  }

  @Test
  void aQueueThatIsFullRefusesAndForgetsTheTask() throws Exception {
    accept("/running", meter -> waitForEver());
    begun.await();
    for (int i = 0; i < 10; i++) {
      accept("/waiting", meter -> {});
    }
    PreviewBuilder plan = new PreviewBuilder(Action.RAID, "/more");
    plan.wanted(1, "/more", "raid", 0, 0);

    assertThatThrownBy(() -> new Submission(queue).answer(plan, "", false, "alice", meter -> {}))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("Too many tasks are waiting");
    assertThat(tasks.newest(Optional.empty(), Optional.empty(), 100))
        .hasSize(11)
        .noneMatch(task -> task.path().equals("/more"));
  }
}
