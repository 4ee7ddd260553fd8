// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.hdfs.InotifyEditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon follows a pair of NameNodes, through whatever becomes of them and of itself. */
class FollowingJourneyTest {
  private static final String OWN_ROOT = "/.raid";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem fs;

  @TempDir private java.nio.file.Path folder;
  private final FollowedTree tree = new FollowedTree();
  private final List<String> asked = new ArrayList<>();
  private EditLogFollower follower;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .withNameNodePair()
            .set("dfs.namenode.accesstime.precision", "1000")
            .set("dfs.namenode.inotify.max.events.per.rpc", "10")
            .set("dfs.client.failover.sleep.base.millis", "50")
            .set("dfs.client.failover.sleep.max.millis", "500")
            // On a busy machine a NameNode takes longer to start than a client of tests goes on
            // trying.
            .set("dfs.client.failover.max.attempts", "400")
            .start();
    fs = hdfs.fileSystem();
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @BeforeEach
  void takeImage() throws IOException {
    restartFollower();
    image();
  }

  private void image() throws IOException {
    long transaction = new InotifyEditLog(fs).newest();
    tree.image(listing(), EditLogFollower.SOURCE, transaction);
  }

  private void restartFollower() {
    follower =
        new EditLogFollower(new InotifyEditLog(fs), tree, asked::add, OWN_ROOT, Clock.systemUTC());
  }

  private static Set<String> listing() throws IOException {
    Set<String> paths = new TreeSet<>();
    list(new Path("/"), paths);
    return paths;
  }

  private static void list(Path directory, Set<String> paths) throws IOException {
    for (FileStatus entry : fs.listStatus(directory)) {
      if (!entry.getPath().toUri().getPath().equals(OWN_ROOT)) {
        paths.add(entry.getPath().toUri().getPath());
        if (entry.isDirectory()) {
          list(entry.getPath(), paths);
        }
      }
    }
  }

  private void followUntil(BooleanSupplier condition, String otherwise) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    follower.follow();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(otherwise + ": " + follower.state()).isLessThan(end);
      Thread.sleep(10);
      follower.follow();
    }
  }

  private void followToTheEnd() throws Exception {
    long newest = new InotifyEditLog(fs).newest();
    followUntil(() -> tree.lastTransaction() >= newest, "transaction " + newest);
  }

  @Test
  void aPlainClientsReadIsHeardOf() throws Exception {
    Path file = new Path("/read/f");
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(1);
    }
    long created = fs.getFileStatus(file).getAccessTime();
    long before;
    do {
      before = System.currentTimeMillis();
      Thread.sleep(10);
    } while (before <= created + 1000);
    try (FSDataInputStream in = fs.open(file)) {
      assertThat(in.read()).isEqualTo(1);
    }
    followUntil(() -> tree.accessed("/read/f").isPresent(), "a read");
    assertThat(tree.accessed("/read/f").orElseThrow())
        .isBetween(before, System.currentTimeMillis())
        .isEqualTo(fs.getFileStatus(file).getAccessTime());
  }

  /**
   * Creates, renames and deletes, each name once, as fast as the NameNode lets it.
   *
   * @return how many files were created
   */
  private static int write(AtomicBoolean enough, AtomicInteger done, Semaphore mayWrite, long seed)
      throws IOException {
    Random random = new Random(seed);
    List<String> directories = new ArrayList<>(List.of("/w" + seed));
    fs.mkdirs(new Path("/w" + seed));
    List<String> files = new ArrayList<>();
    int created = 0;
    for (int i = 0; !enough.get(); i++) {
      String in = directories.get(random.nextInt(directories.size()));
      mayWrite.acquireUninterruptibly();
      try {
        switch (random.nextInt(10)) {
          case 0 -> {
            String made = in + "/d" + i;
            fs.mkdirs(new Path(made));
            directories.add(made);
          }
          case 1 -> {
            if (directories.size() > 1) {
              String moved = directories.get(1 + random.nextInt(directories.size() - 1));
              String to = directories.get(0) + "/m" + i;
              assertThat(fs.rename(new Path(moved), new Path(to))).isTrue();
              directories.replaceAll(path -> moved(path, moved, to));
              files.replaceAll(path -> moved(path, moved, to));
            }
          }
          case 2, 3 -> {
            if (!files.isEmpty()) {
              String old = files.remove(random.nextInt(files.size()));
              String to = in + "/r" + i;
              assertThat(fs.rename(new Path(old), new Path(to))).isTrue();
              files.add(to);
            }
          }
          case 4 -> {
            if (!files.isEmpty()) {
              fs.delete(new Path(files.remove(random.nextInt(files.size()))), false);
            }
          }
          default -> {
            String file = in + "/f" + i;
            fs.create(new Path(file)).close();
            files.add(file);
            created++;
          }
        }
      } catch (RemoteException e) {
        // A NameNode that closes its log in the middle of a call fails an assertion of its own, and
        // assertions are on in tests: what became of it, the listing tells.
        assertThat(e.getClassName()).isEqualTo(AssertionError.class.getName());
        directories.subList(1, directories.size()).clear();
        files.clear();
      }
      mayWrite.release();
      done.incrementAndGet();
    }
    return created;
  }

  private static String moved(String path, String from, String to) {
    return path.equals(from) || path.startsWith(from + "/")
        ? to + path.substring(from.length())
        : path;
  }

  private static void awaitMore(AtomicInteger done, Future<?> writer, Future<?> following)
      throws Exception {
    int enough = done.get() + 40;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (done.get() < enough) {
      if (writer.isDone() || following.isDone()) {
        throw new AssertionError("ended early: %s %s".formatted(writer.get(), following.get()));
      }
      assertThat(System.nanoTime()).as("the writer writes").isLessThan(end);
      Thread.sleep(10);
    }
  }

  @Test
  void checkpointsRollsFailoversAndRestartsLoseAndDoubleNothing() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    Semaphore mayWrite = new Semaphore(1);
    Semaphore mayComeAndGo = new Semaphore(1);
    AtomicBoolean followed = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      Future<Integer> writer = threads.submit(() -> write(enough, done, mayWrite, 6));
      Future<Integer> following =
          threads.submit(
              () -> {
                int restarts = 0;
                while (!followed.get()) {
                  follower.follow();
                  if (done.get() % 7 == 0) {
                    restartFollower();
                    restarts++;
                  }
                  Thread.sleep(5);
                }
                return restarts;
              });
      Future<Set<String>> indexing =
          threads.submit(() -> index(done, mayWrite, mayComeAndGo, followed));
      for (int turn = 0; turn < 2; turn++) {
        awaitMore(done, writer, following);
        fs.rollEdits();
        awaitMore(done, writer, following);
        tree.fail(3);
        locked(mayComeAndGo, hdfs::failOver);
        awaitMore(done, writer, following);
        locked(mayWrite, () -> locked(mayComeAndGo, FollowingJourneyTest::checkpoint));
        awaitMore(done, writer, following);
        locked(mayComeAndGo, hdfs::restartNameNode);
      }
      enough.set(true);
      assertThat(writer.get()).as("files created").isPositive();
      awaitTransaction(new InotifyEditLog(fs).newest());
      followed.set(true);
      assertThat(following.get()).as("restarts").isPositive();
      assertThat(indexing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(files());
    } finally {
      enough.set(true);
      followed.set(true);
      threads.shutdownNow();
    }
    assertThat(tree.paths()).isEqualTo(listing()).hasSizeGreaterThan(100);
    assertThat(asked).as("images asked for").isEmpty();
  }

  /** As the daemon does, which is started again and again, until all was said and is taken in. */
  private Set<String> index(
      AtomicInteger done, Semaphore mayWrite, Semaphore mayComeAndGo, AtomicBoolean enough)
      throws Exception {
    for (int restarts = 0; ; restarts++) {
      AtomicReference<FollowingDaemon> started = new AtomicReference<>();
      locked(
          mayWrite,
          () -> locked(mayComeAndGo, () -> started.set(new FollowingDaemon(hdfs, folder))));
      FollowingDaemon daemon = started.get();
      try {
        if (restarts == 0) {
          daemon.jobs().select().evaluation().scan();
        }
        int next = done.get() + 60;
        while (done.get() < next || enough.get()) {
          long newest = enough.get() ? new InotifyEditLog(fs).newest() : Long.MAX_VALUE;
          daemon.follow();
          if (daemon.catalog().namespace().transaction().orElse(-1) >= newest) {
            assertThat(restarts).as("restarts").isPositive();
            return daemon.paths();
          }
          Thread.sleep(5);
        }
      } finally {
        locked(mayComeAndGo, daemon::close);
      }
    }
  }

  /** Makes a checkpoint. In safe mode nobody may create a file or complete one. */
  private static void checkpoint() throws IOException {
    fs.setSafeMode(SafeModeAction.ENTER);
    fs.saveNamespace();
    fs.setSafeMode(SafeModeAction.LEAVE);
  }

  /**
   * Keeps apart what HDFS does not bear at the same time: creating files and safe mode, and a
   * daemon and a NameNode that come or go. A NameNode that goes closes its edit log before its last
   * answer, which then fails by an assertion of its own, and one that comes refuses connections.
   */
  private static void locked(Semaphore lock, ThrowingRunnable action) throws Exception {
    lock.acquire();
    try {
      action.run();
    } finally {
      lock.release();
    }
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  private static Set<String> files() throws IOException {
    Set<String> files = new TreeSet<>();
    RemoteIterator<LocatedFileStatus> all = fs.listFiles(new Path("/"), true);
    while (all.hasNext()) {
      String path = all.next().getPath().toUri().getPath();
      if (!path.startsWith(OWN_ROOT + "/")) {
        files.add(path);
      }
    }
    return files;
  }

  private void awaitTransaction(long newest) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (tree.lastTransaction() < newest) {
      assertThat(System.nanoTime())
          .as("transaction %d: %s", newest, follower.state())
          .isLessThan(end);
      Thread.sleep(10);
    }
  }

  @Test
  @Tag("full")
  void eventsThatTheNameNodeHasNoMoreAreMissedOnceAndTheImageIsGoneOnFrom() throws Exception {
    fs.mkdirs(new Path("/missed/before"));
    followToTheEnd();
    fs.mkdirs(new Path("/missed/d0"));
    fs.rollEdits();
    removeOldEdits();
    fs.mkdirs(new Path("/missed/d1"));
    follower.follow();
    follower.follow();
    assertThat(asked).singleElement().asString().contains("were deleted from the edit log");
    assertThat(follower.state().problem()).isPresent();
    assertThat(tree.paths()).contains("/missed/before").doesNotContain("/missed/d1");

    image();
    fs.mkdirs(new Path("/missed/after"));
    followToTheEnd();
    assertThat(tree.paths()).isEqualTo(listing()).contains("/missed/d0", "/missed/after");
    assertThat(asked).hasSize(1);
    assertThat(follower.state().problem()).isEmpty();
  }

  /** As the NameNode does when it has enough checkpoints. */
  private static void removeOldEdits() throws IOException {
    try (Stream<java.nio.file.Path> files = Files.walk(hdfs.directory())) {
      for (java.nio.file.Path file :
          files.filter(path -> path.getFileName().toString().matches("edits_\\d+-\\d+")).toList()) {
        Files.delete(file);
      }
    }
  }
}
