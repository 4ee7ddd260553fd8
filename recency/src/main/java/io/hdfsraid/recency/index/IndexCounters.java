// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;

/**
 * The counters of an index.
 *
 * @param transaction the last transaction that was taken in; -1 if there is none
 * @param files the number of files, with those below removed directories until they are removed
 * @param skipped how many files are skipped, in any epoch
 * @param provisional the last number that was given to a provisional entry; they count down from -1
 * @param epoch the epoch in which files are skipped now
 * @param oldestEpoch the oldest epoch in which files may still be filed
 */
record IndexCounters(
    long transaction, long files, long skipped, long provisional, int epoch, int oldestEpoch) {
  static final IndexCounters NEW = new IndexCounters(-1, 0, 0, 0, 1, 1);

  private static final int VERSION = 1;

  byte[] encode() {
    return new RecordWriter()
        .octet(VERSION)
        .signed(transaction)
        .unsigned(files)
        .unsigned(skipped)
        .signed(provisional)
        .unsigned(epoch)
        .unsigned(oldestEpoch)
        .toBytes();
  }

  static IndexCounters decode(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    RecordReader.requireVersion(VERSION, in.octet());
    return new IndexCounters(
        in.signed(), in.unsigned(), in.unsigned(), in.signed(), in.unsignedInt(), in.unsignedInt());
  }

  IndexCounters at(long newTransaction) {
    return new IndexCounters(newTransaction, files, skipped, provisional, epoch, oldestEpoch);
  }

  IndexCounters withMore(long moreFiles, long moreSkipped) {
    return new IndexCounters(
        transaction,
        Math.max(0, files + moreFiles),
        Math.max(0, skipped + moreSkipped),
        provisional,
        epoch,
        oldestEpoch);
  }

  IndexCounters havingNamed(long lastProvisional) {
    return new IndexCounters(transaction, files, skipped, lastProvisional, epoch, oldestEpoch);
  }

  IndexCounters inEpoch(int newEpoch, int newOldest) {
    return new IndexCounters(transaction, files, skipped, provisional, newEpoch, newOldest);
  }
}
