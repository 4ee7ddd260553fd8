// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.KeyNumber;

/** A task that concerns everything below a directory and is done later, in steps. */
record DeferredTask(Task task, long directory) {
  private static final int BYTES = 1 + Long.BYTES;

  /** The tag is on disk. */
  enum Task {
    /** The directory was removed: remove its contents. */
    REMOVE_CONTENTS(1),
    /**
     * The directory was renamed, so other policies may apply: put skipped files back into the
     * order.
     */
    UNSKIP_FILES(2),
    /**
     * Others may traverse the directory than before, or it was renamed: report the files below,
     * which other users may reach now.
     */
    REPORT_FILES(3);

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
    byte[] key = new byte[BYTES];
    key[0] = (byte) task.tag;
    KeyNumber.put(directory, key, 1);
    return key;
  }

  static DeferredTask ofKey(byte[] key) {
    if (key.length != BYTES) {
      throw new IllegalArgumentException("a deferred task of %d bytes".formatted(key.length));
    }
    return new DeferredTask(Task.ofTag(key[0]), KeyNumber.at(key, 1));
  }
}
