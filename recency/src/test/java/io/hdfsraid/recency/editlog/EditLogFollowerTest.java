// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.recency.SettableClock;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.NamespaceEvent.Deleted;
import io.hdfsraid.recency.namespace.NamespaceEvent.Renamed;
import io.hdfsraid.recency.namespace.NamespaceEvent.TimesSet;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EditLogFollowerTest {
  private static final int ANSWER = 7;

  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-22T00:00:00Z"));
  private final Log log = new Log();
  private final Index index = new Index();
  private final List<String> asked = new ArrayList<>();
  private EditLogFollower follower = start();

  private EditLogFollower start() {
    return new EditLogFollower(log, index, asked::add, "/.raid", clock);
  }

  /** Transaction i is at i - 1; one in three is no event. */
  private static final class Log implements EditLog {
    final List<List<NamespaceEvent>> transactions = new ArrayList<>();
    long removedBelow = 1;
    IOException failure;
    long oldNewest;
    boolean closed;

    void write(NamespaceEvent... events) {
      transactions.add(List.of(events));
    }

    List<NamespaceEvent> upTo(long transaction) {
      return transactions.stream().limit(transaction).flatMap(List::stream).toList();
    }

    @Override
    public long newest() {
      return closed ? -1 : oldNewest > 0 ? oldNewest : transactions.size();
    }

    @Override
    public EditBatch after(long transaction) throws IOException {
      if (failure != null) {
        throw failure;
      }
      if (oldNewest > 0) {
        return new EditBatch(transaction, oldNewest, 0, List.of());
      }
      if (transaction >= transactions.size()) {
        return new EditBatch(transaction, transactions.size(), 0, List.of());
      }
      if (transaction + 1 < removedBelow) {
        throw new MissedEditsException(transaction + 1, removedBelow);
      }
      int last = (int) Math.min(transactions.size(), transaction + ANSWER);
      return new EditBatch(
          last,
          transactions.size(),
          0,
          transactions.subList((int) transaction, last).stream().flatMap(List::stream).toList());
    }
  }

  /** Takes in everything or nothing, as an index does. */
  private static final class Index implements EventSink {
    List<NamespaceEvent> events = new ArrayList<>();
    Watermark watermark;
    boolean fails;

    void image(Log log, long transaction) {
      events = new ArrayList<>(log.upTo(transaction));
      watermark = new Watermark(EditLogFollower.SOURCE, Long.toString(transaction));
    }

    @Override
    public Optional<Watermark> watermark(String source) {
      assertThat(source).isEqualTo(EditLogFollower.SOURCE);
      return Optional.ofNullable(watermark);
    }

    @Override
    public void apply(List<NamespaceEvent> more, long transaction, Watermark reached)
        throws IOException {
      if (fails) {
        throw new IOException("disk full");
      }
      assertThat(reached.position()).isEqualTo(Long.toString(transaction));
      events.addAll(more);
      watermark = reached;
    }
  }

  private static NamespaceEvent event(int number) {
    return new TimesSet("/f" + number, -1, number);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whateverFailsAndWhoeverRestartsNoEventIsLostOrDoubled(long seed) throws Exception {
    Random random = new Random(seed);
    index.image(log, 0);
    for (int step = 0; step < 500; step++) {
      switch (random.nextInt(10)) {
        case 0 -> log.failure = new IOException("no connection");
        case 1 -> index.fails = true;
        case 2 -> follower = start();
        case 3 -> log.removedBelow = 1L + random.nextInt(log.transactions.size() + 1);
        case 4 -> {
          if (!asked.isEmpty()) {
            long image = Math.max(log.removedBelow - 1, Long.parseLong(index.watermark.position()));
            index.image(log, image);
            asked.clear();
          }
        }
        case 5 -> log.oldNewest = random.nextInt(3);
        default -> {
          for (int i = random.nextInt(20); i > 0; i--) {
            log.write(
                random.nextInt(3) == 0
                    ? new NamespaceEvent[0]
                    : new NamespaceEvent[] {event(step)});
          }
        }
      }
      clock.pass(Duration.ofMinutes(1));
      follower.follow();
      log.failure = null;
      log.oldNewest = 0;
      index.fails = false;
      assertThat(asked).as("images awaited").hasSizeLessThan(50);
      assertThat(index.events)
          .as("seed %d, step %d", seed, step)
          .isEqualTo(log.upTo(Long.parseLong(index.watermark.position())));
    }
    clock.pass(Duration.ofMinutes(1));
    index.image(log, log.removedBelow - 1);
    follower.follow();
    assertThat(index.events).isEqualTo(log.upTo(log.transactions.size()));
    assertThat(follower.state().problem()).isEmpty();
  }

  @Test
  void beforeAnyImageOneIsAskedForOnce() throws Exception {
    log.write(event(1));
    follower.follow();
    follower.follow();
    assertThat(asked).hasSize(1);
    assertThat(index.events).isEmpty();
    assertThat(follower.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains("No image"));
  }

  @Test
  void missedEventsAskForOneImageAndItsTransactionIsGoneOnFrom() throws Exception {
    index.image(log, 0);
    for (int i = 1; i <= 30; i++) {
      log.write(event(i));
    }
    log.removedBelow = 11;
    follower.follow();
    follower.follow();
    clock.pass(Duration.ofHours(1));
    follower.follow();
    assertThat(asked).singleElement().asString().contains("1 to 10");
    assertThat(follower.state().problem()).isPresent();
    assertThat(index.events).as("nothing behind a gap").isEmpty();

    index.image(log, 20);
    follower.follow();
    assertThat(index.events).isEqualTo(log.upTo(30));
    assertThat(follower.state().problem()).isEmpty();

    log.removedBelow = 41;
    for (int i = 31; i <= 50; i++) {
      log.write(event(i));
    }
    follower.follow();
    assertThat(asked).as("a second gap is another one").hasSize(2);
  }

  @Test
  void aNameNodeThatWasSetBackIsNoticed() throws Exception {
    index.image(log, 0);
    for (int i = 1; i <= 30; i++) {
      log.write(event(i));
    }
    follower.follow();
    log.transactions.subList(20, 30).clear();
    follower.follow();
    clock.pass(Duration.ofMinutes(9));
    follower.follow();
    assertThat(asked).as("it may be a failover").isEmpty();
    clock.pass(Duration.ofMinutes(1));
    follower.follow();
    assertThat(asked).singleElement().asString().contains("only 20");
  }

  @Test
  void aNameNodeThatIsSetBackWhileAnImageIsAwaitedNeedNotBeOvertakenByIt() throws Exception {
    index.image(log, 0);
    for (int i = 1; i <= 30; i++) {
      log.write(event(i));
    }
    follower.follow();
    log.write(event(31));
    log.write(event(32));
    log.removedBelow = 32;
    follower.follow();
    assertThat(follower.awaitsImage()).isTrue();
    assertThat(follower.gap()).as("an image must reach beyond it").hasValue(30);

    log.transactions.subList(20, 32).clear();
    follower.follow();
    clock.pass(Duration.ofMinutes(9));
    follower.follow();
    assertThat(follower.gap()).as("it may be a failover").hasValue(30);
    clock.pass(Duration.ofMinutes(1));
    follower.follow();
    assertThat(follower.gap()).as("any image of the other history").isEmpty();

    log.removedBelow = 1;
    index.image(log, 20);
    follower.follow();
    assertThat(follower.awaitsImage()).isFalse();
  }

  @Test
  void aNameNodeThatHasWrittenAsMuchSinceItWasSetBackIsFollowedFromAnImage() throws Exception {
    index.image(log, 0);
    for (int i = 1; i <= 30; i++) {
      log.write(event(i));
    }
    follower.follow();
    log.transactions.subList(20, 30).clear();
    for (int i = 101; i <= 115; i++) {
      log.write(event(i));
    }
    follower.wasSetBack("a sign");
    assertThat(follower.awaitsImage()).isTrue();
    follower.follow();
    assertThat(asked).containsExactly("a sign");
    assertThat(follower.gap()).as("any image of the other history").isEmpty();
    assertThat(index.events).as("nothing of the other history").hasSize(30);

    index.image(log, 30);
    follower.follow();
    assertThat(follower.awaitsImage()).as("it looks like what was known before").isTrue();
    follower.imageWasRead();
    follower.follow();
    assertThat(index.events).isEqualTo(log.upTo(35));
    assertThat(follower.awaitsImage()).isFalse();
    assertThat(follower.state().problem()).isEmpty();
  }

  @Test
  void anOldNumberInTheMiddleOfAFailoverIsNoReasonToReadAnImage() throws Exception {
    index.image(log, 0);
    for (int i = 1; i <= 30; i++) {
      log.write(event(i));
    }
    follower.follow();
    for (int failover = 0; failover < 3; failover++) {
      log.oldNewest = 12;
      log.closed = failover == 2;
      follower.follow();
      clock.pass(Duration.ofMinutes(9));
      follower.follow();
      log.oldNewest = 0;
      follower.follow();
      clock.pass(Duration.ofMinutes(9));
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void whoDoesNotAnswerIsAskedLessAndLessOften() throws Exception {
    index.image(log, 0);
    log.failure = new IOException("no connection");
    int tries = 0;
    for (int second = 0; second < 600; second++) {
      long before = follower.state().counters().get("failures");
      follower.follow();
      tries += follower.state().counters().get("failures") > before ? 1 : 0;
      clock.pass(Duration.ofSeconds(1));
    }
    assertThat(tries).isBetween(12, 20);
    assertThat(follower.state().problem()).contains("The edit log cannot be read: no connection");

    log.failure = null;
    log.write(event(1));
    clock.pass(Duration.ofMinutes(1));
    follower.follow();
    assertThat(follower.state().problem()).isEmpty();
    assertThat(index.events).hasSize(1);
  }

  @Test
  void whatIsBelowOurOwnRootIsDroppedButWhatComesFromThereIsNot() throws Exception {
    index.image(log, 0);
    Deleted similar = new Deleted("/.raided", 1);
    Renamed out = new Renamed("/.raid/parity/7", "/saved", 2);
    Renamed in = new Renamed("/mine", "/.raid/mine", 3);
    log.write(
        new Deleted("/.raid/tmp/1", 1),
        new TimesSet("/.raid", 1, -1),
        new Renamed("/.raid/tmp/2", "/.raid/parity/2", 1),
        similar,
        out,
        in);
    follower.follow();
    assertThat(index.events).containsExactly(similar, out, in);
    assertThat(follower.state().counters()).containsEntry("events.own", 3L);
  }

  @Test
  void anInterruptEndsIt() {
    index.image(log, 0);
    for (int i = 1; i <= 30; i++) {
      log.write(event(i));
    }
    Thread.currentThread().interrupt();
    assertThatThrownBy(follower::follow).isInstanceOf(InterruptedException.class);
    assertThat(index.events).isEqualTo(log.upTo(ANSWER));
  }
}
