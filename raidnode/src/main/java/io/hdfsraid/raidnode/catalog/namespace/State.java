package io.hdfsraid.raidnode.catalog.namespace;

/**
 * What there is one of.
 *
 * @param transaction the last that was taken in; -1 where there was none
 * @param files how many there are, with those below removed directories that are not yet swept
 * @param setAside how many of them are, in any epoch
 * @param provisional the last number that was given to an entry whose own is not known; they count
 *     down from -1
 * @param epoch in which files are set aside now
 * @param oldestEpoch before which none is set aside any more
 */
record State(
    long transaction, long files, long setAside, long provisional, int epoch, int oldestEpoch) {
  static final State NEW = new State(-1, 0, 0, 0, 1, 1);

  private static final int VERSION = 1;

  byte[] encode() {
    return new RecordWriter()
        .octet(VERSION)
        .signed(transaction)
        .unsigned(files)
        .unsigned(setAside)
        .signed(provisional)
        .unsigned(epoch)
        .unsigned(oldestEpoch)
        .toBytes();
  }

  static State decode(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    Versions.require(VERSION, in.octet());
    return new State(
        in.signed(), in.unsigned(), in.unsigned(), in.signed(), in.small(), in.small());
  }

  State at(long newTransaction) {
    return new State(newTransaction, files, setAside, provisional, epoch, oldestEpoch);
  }

  State withMore(long moreFiles, long moreSetAside) {
    return new State(
        transaction,
        Math.max(0, files + moreFiles),
        Math.max(0, setAside + moreSetAside),
        provisional,
        epoch,
        oldestEpoch);
  }

  State havingNamed(long lastProvisional) {
    return new State(transaction, files, setAside, lastProvisional, epoch, oldestEpoch);
  }

  State inEpoch(int newEpoch, int newOldest) {
    return new State(transaction, files, setAside, provisional, newEpoch, newOldest);
  }
}
