// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Looks up the block of a unit, as the NameNode shows it now: finds the file that the manifest
 * names by its inode id, and the block in it. HDFS tells of all blocks of a file or of none, and a
 * file may have a hundred thousand, so threads that ask about the same file at the same time share
 * an answer. Safe for concurrent use.
 */
public final class BlockLookup {
  private final Namespace namespace;
  private final DetachedBlocks detached;
  private final ParityFile parity;
  private final Map<Long, SharedFile> files = new ConcurrentHashMap<>();

  /** Creates a lookup that finds blocks in their files only. */
  public BlockLookup(Namespace namespace, ParityFile parity) {
    this(namespace, DetachedBlocks.UNKNOWN, parity);
  }

  /**
   * @param detached asked about a block that its file does not contain any more
   * @param parity the parity file to which all stripes belong
   */
  BlockLookup(Namespace namespace, DetachedBlocks detached, ParityFile parity) {
    this.namespace = namespace;
    this.detached = detached;
    this.parity = parity;
  }

  /**
   * Returns the block of a unit and its replicas as they are now.
   *
   * @return empty if the recorded block, with the recorded generation stamp and length, is no
   *     longer part of its file, and is not found elsewhere. Then nothing may be delivered, moved
   *     or reported for it
   */
  public Optional<LocatedBlock> now(LocatedStripe stripe, int unit) throws IOException {
    Block block =
        stripe
            .unit(unit)
            .located()
            .map(LocatedBlock::block)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Unit %d of %s has no block".formatted(unit, stripe)));
    Optional<LocatedBlock> own =
        files.computeIfAbsent(inode(stripe, unit), SharedFile::new).find(block);
    return own.isPresent() || stripe.codec().shape().isParity(unit)
        ? own
        : Optional.ofNullable(detached.locate(List.of(block)).get(block));
  }

  /**
   * Returns how many replicas the NameNode keeps of the block of a unit, as the last look at its
   * file has shown.
   *
   * @return empty if its file is gone, or was not looked at
   */
  public OptionalInt replication(LocatedStripe stripe, int unit) {
    SharedFile file = files.get(inode(stripe, unit));
    return file == null ? OptionalInt.empty() : file.replication();
  }

  /** A file as the NameNode has shown it last; asked for by one thread at a time. */
  private final class SharedFile {
    private final long inode;
    private final ReentrantLock lock = new ReentrantLock();

    /** How many looks have begun. */
    private final AtomicLong begun = new AtomicLong();

    /** Which of them gave the blocks; guarded by the lock. */
    private long given;

    private Map<Block, LocatedBlock> blocks = Map.of();

    private volatile OptionalInt replication = OptionalInt.empty();

    SharedFile(long inode) {
      this.inode = inode;
    }

    /** Finds a block by a look that began after this was called. */
    Optional<LocatedBlock> find(Block block) throws IOException {
      long next = begun.get() + 1;
      try {
        lock.lockInterruptibly();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while the NameNode was asked about " + block);
      }
      try {
        if (given < next) {
          long look = begun.incrementAndGet();
          Optional<LocatedFile> file = namespace.file(inode);
          replication = file.stream().mapToInt(LocatedFile::replication).findFirst();
          blocks =
              file.map(LocatedFile::completeBlocks).orElse(List.of()).stream()
                  .collect(Collectors.toMap(LocatedBlock::block, now -> now, (one, same) -> one));
          given = look;
        }
        return Optional.ofNullable(blocks.get(block));
      } finally {
        lock.unlock();
      }
    }

    OptionalInt replication() {
      return replication;
    }
  }

  private long inode(LocatedStripe stripe, int unit) {
    if (stripe.parityInode() != parity.file().inode()) {
      throw new IllegalArgumentException(
          "%s does not belong to parity inode %d".formatted(stripe, parity.file().inode()));
    }
    if (stripe.codec().shape().isParity(unit)) {
      return parity.file().inode();
    }
    DataUnit data = parity.manifest().stripes().get(stripe.index()).data().get(unit);
    return parity.manifest().members().get(data.member()).inode();
  }
}
