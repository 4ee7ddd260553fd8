package io.hdfsraid.raidnode.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestQueueTest {
  private final RequestQueue queue = new RequestQueue(10);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final List<String> seen = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    queue.close();
  }

  private void waitForEver() {
    begun.countDown();
    try {
      never.await();
    } catch (InterruptedException e) {
      seen.add("cut off");
    }
  }

  @Test
  void whatRunsIsCutOffAndWhatWaitsIsDroppedAndTheRestIsDone() throws Exception {
    queue.execute("/running", this::waitForEver);
    queue.execute("/dropped", () -> seen.add("dropped"));
    queue.execute("/kept", () -> seen.add(Thread.currentThread().isInterrupted() ? "hit" : "kept"));
    begun.await();

    assertThat(queue.entries())
        .extracting(entry -> entry.subject() + " " + entry.running())
        .containsExactly("/running true", "/dropped false", "/kept false");
    queue.cancel(
        queue.entries().stream().filter(entry -> !entry.subject().equals("/kept")).toList());
    queue.finish();

    assertThat(seen).containsExactly("cut off", "kept");
    assertThat(queue.entries()).isEmpty();
  }
}
