package io.hdfsraid.raidnode.catalog.namespace;

import java.nio.ByteBuffer;

/** What is to be done with all that is in a directory, later and in steps. */
record Chore(Task task, long directory) {
  private static final int BYTES = 1 + Long.BYTES;

  /** The tag is on disk. */
  enum Task {
    /** It was removed: remove what is in it. */
    SWEEP(1),
    /** It was renamed, so that other policies may hold: give files back to the order. */
    RANK(2);

    private final int tag;

    Task(int tag) {
      this.tag = tag;
    }

    private static Task ofTag(int tag) {
      for (Task task : values()) {
        if (task.tag == tag) {
          return task;
        }
      }
      throw new IllegalArgumentException("no task has the tag " + tag);
    }
  }

  byte[] key() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) task.tag)
        .putLong(directory ^ Long.MIN_VALUE)
        .array();
  }

  static Chore ofKey(byte[] key) {
    if (key.length != BYTES) {
      throw new IllegalArgumentException("a chore of %d bytes".formatted(key.length));
    }
    ByteBuffer in = ByteBuffer.wrap(key);
    return new Chore(Task.ofTag(in.get()), in.getLong() ^ Long.MIN_VALUE);
  }
}
