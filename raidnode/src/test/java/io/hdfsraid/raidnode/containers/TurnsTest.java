// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TurnsTest {
  private final AtomicInteger atOnce = new AtomicInteger(1);
  private final Turns turns = new Turns(atOnce::get);

  /** Returns a thread that waits for its turn. */
  private Thread waiting() {
    Thread thread =
        new Thread(
            () -> {
              try {
                turns.take();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void whoeverComesWhenAllTurnsAreTakenWaitsForTheEndOfOne() throws Exception {
    turns.take();
    Thread second = waiting();
    turns.end();

    second.join();
  }

  @Test
  void theNumberMayBeRaisedMeanwhile() throws Exception {
    turns.take();
    Thread second = waiting();
    atOnce.set(2);

    second.join();
  }

  @Test
  void anInterruptEndsTheWaitAndTakesNoTurn() throws Exception {
    turns.take();
    Thread.currentThread().interrupt();
    assertThatThrownBy(turns::take).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    turns.end();

    turns.take();
  }
}
