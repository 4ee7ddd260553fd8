// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several threads that ask about the same file. */
class BlockLookupTest {
  private final RaidedStripe raided = new RaidedStripe("rs-6-3");
  private final LocatedStripe stripe = raided.stripe();
  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final BlockLookup blocks = new BlockLookup(slow(), raided.parity);
  private boolean fails;

  BlockLookupTest() throws IOException {}

  /** A NameNode whose first answer is on its way until the gate opens. */
  private Namespace slow() {
    return (Namespace)
        Proxy.newProxyInstance(
            Namespace.class.getClassLoader(),
            new Class<?>[] {Namespace.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(raided.cluster, arguments);
                looks.incrementAndGet();
                answered.countDown();
                gate.await();
                if (fails) {
                  fails = false;
                  throw new IOException("no answer");
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private DataNode node() throws IOException {
    return blocks.now(stripe, 0).orElseThrow().live().get(0).node();
  }

  private record Asking(Thread thread, FutureTask<DataNode> answer) {}

  private Asking ask() {
    FutureTask<DataNode> answer = new FutureTask<>(this::node);
    Thread thread = new Thread(answer);
    thread.start();
    return new Asking(thread, answer);
  }

  private List<Asking> askAll(int threads) {
    List<Asking> asking = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      asking.add(ask());
    }
    for (Asking one : asking) {
      while (one.thread().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    return asking;
  }

  @Test
  void thoseWhoAskTogetherShareALookThatBeganAfterTheyAsked() throws Exception {
    DataNode before = raided.cluster.node(0);
    DataNode after = raided.cluster.node(12);
    Asking first = ask();
    answered.await();
    raided.cluster.place(stripe.unit(0).located().orElseThrow().block().id(), after);
    List<Asking> later = askAll(8);

    gate.countDown();

    assertThat(first.answer().get()).as("asked before it was moved").isEqualTo(before);
    for (Asking one : later) {
      assertThat(one.answer().get()).isEqualTo(after);
    }
    assertThat(looks).as("one for the first, one for all others").hasValue(2);
    assertThat(node()).isEqualTo(after);
    assertThat(looks).as("nobody believes what was asked for before").hasValue(3);
  }

  @Test
  void whatFailedForOneIsAskedAgainForTheOthers() throws Exception {
    fails = true;
    Asking first = ask();
    answered.await();
    List<Asking> later = askAll(3);

    gate.countDown();

    assertThatThrownBy(() -> first.answer().get()).hasRootCauseMessage("no answer");
    for (Asking one : later) {
      assertThat(one.answer().get()).isEqualTo(raided.cluster.node(0));
    }
  }
}
