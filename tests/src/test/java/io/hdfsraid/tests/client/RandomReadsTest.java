// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.tests.journeys.Journey;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads read at random, in every way in which Hadoop lets them, while blocks are lost, repaired
 * and moved, and while files are appended to, renamed, let go and raided again. Every byte is
 * compared. Losses stay within what the codes bear, so no read may fail.
 *
 * <p>{@code -Drandom.reads=1000000} reads more, {@code -Drandom.seed=4711} does something else.
 */
class RandomReadsTest {
  private static final int READERS = 3;
  private static final int LONGEST = 16 * Journey.BLOCK;
  private static final List<String> CODECS = List.of("rs-3-2", "less-4-2", "lrc-azure-4-2-2");
  private static final int LOSSES = 2;

  private final long seed = Long.getLong("random.seed", 18);
  private final Random random = new Random(seed);
  private final List<ReadFile> files = new ArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final Map<Event, Integer> events = new EnumMap<>(Event.class);
  private Journey journey;

  private enum Event {
    LOSE,
    REPAIR,
    APPEND,
    RENAME,
    LET_GO,
    MOVE
  }

  @BeforeEach
  void raid() throws IOException {
    journey = new Journey(12);
    journey.startDaemon((step, subject) -> {});
    for (int i = 0; i < 2 * CODECS.size(); i++) {
      String path = "/read-" + i;
      String codec = CODECS.get(i % CODECS.size());
      byte[] content = new byte[LONGEST];
      random.nextBytes(content);
      int length = 5 * Journey.BLOCK + random.nextInt(3 * Journey.BLOCK);
      journey.write(path, Arrays.copyOf(content, length));
      files.add(new ReadFile(path, journey.raid(path, codec), codec, content, length));
    }
  }

  @AfterEach
  void stop() {
    journey.close();
  }

  @Test
  @Tag("full")
  void noByteIsWrongAndNoReadFails() throws Exception {
    readAndDisturb(Integer.getInteger("random.reads", 100_000), 100);
  }

  private void readAndDisturb(int wanted, int disturbances) throws Exception {
    Configuration conf = new Configuration(journey.hdfs.configuration());
    conf.setClass("fs.hdfs.impl", DistributedRaidFileSystem.class, FileSystem.class);
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsraid.drfs.fs.RaidFs");
    conf.setInt("raid.read.retry.after.ms", 500);
    ExecutorService executor = Executors.newFixedThreadPool(READERS);
    try (DistributedRaidFileSystem fs =
        (DistributedRaidFileSystem) FileSystem.newInstance(journey.hdfs.uri(), conf)) {
      CompletionService<RandomReader> readers = new ExecutorCompletionService<>(executor);
      AtomicInteger disturbed = new AtomicInteger();
      for (int i = 0; i < READERS; i++) {
        RandomReader reader = new RandomReader(fs, conf, files, new Random(seed + i));
        readers.submit(
            () -> {
              while (reads.get() < wanted || disturbed.get() < disturbances) {
                reads.addAndGet(reader.readSome());
              }
              return reader;
            });
      }
      // The first reader that ends has met something, or there is enough.
      Future<RandomReader> ended = readers.poll();
      while (ended == null) {
        disturb();
        disturbed.incrementAndGet();
        ended = readers.poll();
      }
      int endedByRename = ended.get().endedByRename();
      for (int i = 1; i < READERS; i++) {
        endedByRename += readers.take().get().endedByRename();
      }
      assertThat(endedByRename)
          .as("a rename ends one stream of each reader at most")
          .isLessThanOrEqualTo(READERS * events.getOrDefault(Event.RENAME, 0));
      assertThat(events).as("seed %d", seed).containsKeys(Event.values());
      assertThat(fs.degradedReads().bytes()).isPositive();
      System.out.printf(
          "%d reads, %d ranges rebuilt, seed %d, %s%n",
          reads.get(), fs.degradedReads().count(), seed, events);
    } finally {
      executor.shutdownNow();
    }
  }

  private void disturb() throws IOException {
    ReadFile file = files.get(random.nextInt(files.size()));
    Event event = Event.values()[random.nextInt(Event.values().length)];
    if (file.isDamaged() && event != Event.RENAME) {
      event = Event.REPAIR;
    } else if (event == Event.REPAIR) {
      event = Event.LOSE;
    }
    switch (event) {
      case LOSE -> lose(file);
      case REPAIR -> {
        journey.repair(file.inode());
        file.repaired();
      }
      case APPEND -> append(file);
      case RENAME -> rename(file);
      case LET_GO -> {
        journey.jobs().upkeep().reconciler().unraid(file.inode(), "test");
        raidAgain(file);
      }
      case MOVE -> move(file);
    }
    events.merge(event, 1, Integer::sum);
  }

  private void lose(ReadFile file) throws IOException {
    List<LocatedStripe> stripes = journey.stripes(file.inode());
    LocatedStripe stripe = stripes.get(random.nextInt(stripes.size()));
    List<Integer> units =
        new ArrayList<>(stripe.available().minus(stripe.absent()).stream().boxed().toList());
    java.util.Collections.shuffle(units, random);
    file.damaged();
    for (int unit : units.subList(0, 1 + random.nextInt(LOSSES))) {
      journey.delete(stripe, unit);
    }
  }

  private void append(ReadFile file) throws IOException {
    int more = 1 + random.nextInt(Journey.BLOCK);
    if (file.length() + more > LONGEST) {
      return;
    }
    try (OutputStream out = journey.hdfs.fileSystem().append(new Path(file.path()))) {
      out.write(file.content(), file.length(), more);
    }
    file.appended(more);
    raidAgain(file);
  }

  /** The daemon lets a file go that was changed, too; then its policy raids it again. */
  private void raidAgain(ReadFile file) throws IOException {
    journey.settle(file.inode(), FileState.LEFT);
    long again = journey.raid(file.path(), file.codec());
    assertThat(again).isEqualTo(file.inode());
  }

  private void rename(ReadFile file) throws IOException {
    String to = file.path() + "x";
    file.rename(
        to,
        () ->
            assertThat(journey.hdfs.fileSystem().rename(new Path(file.path()), new Path(to)))
                .isTrue());
  }

  /** HDFS adds replicas on other nodes, and then drops one of each block, perhaps the older one. */
  private void move(ReadFile file) throws IOException {
    for (short replication : new short[] {2, 1}) {
      boolean set = journey.hdfs.fileSystem().setReplication(new Path(file.path()), replication);
      assertThat(set).isTrue();
      Journey.until(
          () -> journey.replicas(file.path()) == replication,
          () -> "%d replicas of each block of %s".formatted(replication, file.path()));
    }
  }
}
