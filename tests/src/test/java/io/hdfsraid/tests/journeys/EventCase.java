// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A file in a directory of its own, what happens to it and when, and the model of what must be
 * readable. Worked on by one thread at a time.
 */
final class EventCase {
  /** When something happens to a file that has been raided and is not worked on. */
  enum Moment {
    AFTER_EVERYTHING
  }

  private static final int LENGTH = 4 * Journey.BLOCK - 99;
  private static final String BYSTANDER = "/bystander";
  private static final int USUAL_REPLICATION = 3;

  private final Journey journey;
  private final UserAction action;
  private final Enum<?> when;
  private final String directory;
  private final Random random;
  private final Map<String, byte[]> contents = new ConcurrentHashMap<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private String path;
  private long inode;
  private int replication = USUAL_REPLICATION;
  private Optional<Closeable> leftOpen = Optional.empty();

  /** Inode id of the parity file that was made wrong. */
  private Optional<Long> falsified = Optional.empty();

  private volatile boolean happened;
  private volatile Optional<Throwable> failure = Optional.empty();

  EventCase(Journey journey, UserAction action, Enum<?> when) {
    this.journey = journey;
    this.action = action;
    this.when = when;
    this.directory =
        "/events/%s/%s.%s".formatted(action, when.getDeclaringClass().getSimpleName(), when);
    this.random = new Random(directory.hashCode());
    this.path = directory + "/sub/file";
  }

  Journey journey() {
    return journey;
  }

  UserAction action() {
    return action;
  }

  Enum<?> when() {
    return when;
  }

  /** Target 1, parity 1. */
  static Protection protection() {
    return new Protection("rs-3-2", 1, 1);
  }

  DistributedFileSystem fs() {
    return journey.hdfs.fileSystem();
  }

  // Before

  void load() throws IOException {
    write(path, bytes(LENGTH));
    inode = journey.hdfs.fileSystem().getClient().getFileInfo(path).getFileId();
    write(directory + BYSTANDER, bytes(1_000));
  }

  /** Of the file that was loaded; names it whatever becomes of its path. */
  long inode() {
    return inode;
  }

  // What happens

  String directory() {
    return directory;
  }

  /** Where the file is now, or was when it was deleted. */
  String path() {
    return path;
  }

  byte[] content() {
    return contents.get(path);
  }

  String sibling(String name) {
    return new Path(new Path(path).getParent(), name).toString();
  }

  byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  static byte[] join(byte[] first, byte[] second) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.writeBytes(first);
    joined.writeBytes(second);
    return joined.toByteArray();
  }

  /** Overwrites what is there. */
  void write(String file, byte[] bytes) throws IOException {
    try (OutputStream out = fs().create(new Path(file), true)) {
      out.write(bytes);
    }
    holds(file, bytes);
  }

  void append(int count) throws IOException {
    byte[] more = bytes(count);
    try (FSDataOutputStream out = fs().append(new Path(path))) {
      out.write(more);
    }
    holds(path, join(content(), more));
  }

  void truncate(int length) throws IOException {
    Path file = new Path(path);
    if (!fs().truncate(file, length)) {
      Journey.until(() -> fs().isFileClosed(file), () -> "the last block of " + file);
    }
    holds(path, Arrays.copyOf(content(), length));
  }

  void rename(String from, String to) throws IOException {
    if (!fs().rename(new Path(from), new Path(to))) {
      throw new IOException("%s was not renamed to %s".formatted(from, to));
    }
    moved(from, to);
  }

  void delete() throws IOException {
    fs().delete(new Path(path), false);
    gone(path);
  }

  void setReplication(int wanted) throws IOException {
    fs().setReplication(new Path(path), (short) wanted);
    replication = wanted;
  }

  void snapshot() throws IOException {
    fs().allowSnapshot(new Path(directory));
    fs().createSnapshot(new Path(directory), "s");
    holds(inSnapshot(), content());
  }

  void deleteSnapshot() throws IOException {
    gone(inSnapshot());
    fs().deleteSnapshot(new Path(directory), "s");
    fs().disallowSnapshot(new Path(directory));
  }

  private String inSnapshot() {
    return directory + "/.snapshot/s" + path.substring(directory.length());
  }

  /** Does nothing where there is no parity yet. */
  void falsifyParity() throws IOException {
    falsified = journey.falsifyParity(inode);
  }

  boolean hasFalseParity() throws IOException {
    Optional<Long> now =
        journey.cluster().access().parity().find(inode).map(parity -> parity.file().inode());
    return falsified.isPresent() && now.equals(falsified);
  }

  void scrub() throws IOException {
    if (hasFalseParity()) {
      journey.jobs().scrub().requested(ScrubDepth.DEEP).scrub(inode, "test");
    }
  }

  void leaveOpen(Closeable stream) {
    leftOpen = Optional.of(stream);
  }

  void closeLeftOpen() throws IOException {
    if (leftOpen.isPresent()) {
      leftOpen.get().close();
      leftOpen = Optional.empty();
    }
  }

  /** The model: from now on a client reads these bytes there. */
  void holds(String file, byte[] bytes) {
    contents.put(file, bytes);
  }

  void gone(String file) {
    contents.remove(file);
  }

  void moved(String from, String to) {
    contents.put(to, contents.remove(from));
    if (path.equals(from)) {
      path = to;
    }
  }

  /** Does what is to happen, once. */
  void happen() throws IOException {
    if (action.toTheCluster()) {
      action.happenToAll(journey);
    } else {
      action.happen(this);
    }
    happened = true;
  }

  void happenedToAll() {
    happened = true;
  }

  boolean happened() {
    return happened;
  }

  /** The first step was reached at which it is to happen; never for one that has failed. */
  boolean begin() {
    boolean first = begun.getCount() > 0 && failure.isEmpty();
    begun.countDown();
    return first;
  }

  // Afterwards

  /** Live files and files in snapshots, and what a client must read from them. */
  Map<String, byte[]> contents() {
    return Map.copyOf(contents);
  }

  /** What the user has set, or what files usually have. */
  int replication() {
    return replication;
  }

  String bystander() {
    return directory + BYSTANDER;
  }

  /** What failed first is what is told: the rest comes of it. */
  synchronized void fail(Throwable with) {
    if (failure.isEmpty()) {
      failure = Optional.of(with);
    } else if (failure.get() != with) {
      failure.get().addSuppressed(with);
    }
  }

  Optional<Throwable> failure() {
    return failure;
  }

  @Override
  public String toString() {
    return "%s at %s".formatted(action, when);
  }
}
