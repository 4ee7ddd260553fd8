// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.Tasks;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RequestedRepairsTest {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final StripeKey STRIPE = new StripeKey(16_400, 0);

  @TempDir Path folder;
  private Catalog catalog;
  private static final Set<Thread.State> WAITS =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

  private Tasks tasks;

  private static final class Trouble implements KnownTrouble {
    private volatile boolean on;

    @Override
    public boolean explains(Throwable failure) {
      return on;
    }

    @Override
    public boolean isOn() {
      return on;
    }
  }

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    tasks = new Tasks(catalog.tasks(), CLOCK);
    catalog
        .repairs()
        .put(
            new RepairState.Unrecoverable(
                new DegradedStripe(
                    STRIPE,
                    16_390,
                    "/file",
                    "rs-6-3",
                    UnitSet.of(0),
                    2,
                    "NAMENODE",
                    Instant.EPOCH,
                    1,
                    0),
                "no NameNode",
                Instant.EPOCH));
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private TaskReport run(RequestedRepairs work, Trouble trouble) throws IOException {
    try (TaskQueue queue = new TaskQueue(tasks, trouble, 1)) {
      String id =
          queue
              .change(
                  new ChangePreview(Action.REPAIR, "/file", Outcome.ACCEPTED, 1, 0, 0, 0, ""),
                  "alice",
                  work)
              .task()
              .orElseThrow();
      if (trouble.on) {
        while (!tasks.find(id).orElseThrow().reason().startsWith("It waits")) {
          assertThat(tasks.find(id).orElseThrow().state().isEnded()).isFalse();
        }
        trouble.on = false;
      }
      queue.finish();
      return tasks.find(id).orElseThrow();
    }
  }

  @Test
  void anAttemptThatAnOutageCutsShortIsMadeAgain() throws Exception {
    Trouble trouble = new Trouble();
    trouble.on = true; // the first attempt begins when it is over, and meets the next one
    List<String> attempts = new ArrayList<>();
    RequestedRepairs work = new RequestedRepairs(catalog.repairs());
    work.plan(STRIPE, 100);
    work.add(
        ended -> {
          attempts.add("one");
          if (attempts.size() == 1) {
            trouble.on = true;
            ended.accept(STRIPE);
            trouble.on = false;
          } else {
            catalog.repairs().remove(STRIPE);
            ended.accept(STRIPE);
          }
        });

    TaskReport task = run(work, trouble);

    assertThat(attempts).hasSize(2);
    assertThat(task.state()).as("%s", task).isEqualTo(TaskState.DONE);
    assertThat(task.progress().stepsFailed()).isZero();
  }

  @Test
  void whatFailsByItselfIsAttemptedOnceAndSaid() throws Exception {
    List<String> attempts = new ArrayList<>();
    RequestedRepairs work = new RequestedRepairs(catalog.repairs());
    work.plan(STRIPE, 100);
    work.add(
        ended -> {
          attempts.add("one");
          ended.accept(STRIPE);
        });

    TaskReport task = run(work, new Trouble());

    assertThat(attempts).hasSize(1);
    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(task.reason()).contains("/file", "no NameNode");
  }

  @Test
  @Timeout(20)
  void whatAnotherJobRepairsIsWaitedFor() throws Exception {
    assertThat(catalog.repairs().take(STRIPE)).isPresent();
    RequestedRepairs work = new RequestedRepairs(catalog.repairs());
    work.plan(STRIPE, 100);
    CompletableFuture<Thread> attempted = new CompletableFuture<>();
    work.add(
        ended -> {
          ended.accept(STRIPE);
          attempted.complete(Thread.currentThread());
        });
    CompletableFuture<Void> otherJob =
        attempted.thenAcceptAsync(
            worker -> {
              // Until it waits, for the other job or for another task.
              while (!WAITS.contains(worker.getState())) {
                Thread.onSpinWait();
              }
              catalog.repairs().remove(STRIPE);
            });

    TaskReport task = run(work, new Trouble());

    otherJob.join();
    assertThat(task.state()).as("%s", task).isEqualTo(TaskState.DONE);
  }
}
