// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.FileVersion;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of a stripe in their files, as they were when the stripe was found. If a file has been
 * changed since, a DataNode may still return the bytes of its old block, or other bytes for it. So
 * the NameNode is asked after each read.
 *
 * <p>HDFS has no call for some blocks of a file that neither counts as an access nor is audited as
 * an open, and the answer for all blocks of a large file is large. So after most reads only the
 * version of each member is compared. The blocks are compared if the version has changed, after the
 * read that ends the lost block, and at least every five seconds. Only a change whose author also
 * sets the modification time back can be noticed late, by that much. The parity file is compared
 * with the blocks only: nobody but an administrator can write to it, and the daemon replaces it as
 * a whole. Safe for concurrent use.
 */
final class StripeFiles {
  private static final long BLOCKS_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Namespace namespace;
  private final CatchUp catchUp;
  private final LongSupplier nanos;
  private final List<Seen> members;
  private final List<Seen> files;
  private final AtomicLong comparedNanos;

  /** Makes observers catch up with the active NameNode before they answer the following calls. */
  interface CatchUp {
    void run() throws IOException;
  }

  /** A file with the blocks of the stripe that it had. */
  private static final class Seen {
    final String path;
    final long inode;
    final Set<Block> blocks;

    /** The version at which the file was last seen with its blocks. */
    volatile FileVersion version;

    Seen(LocatedFile file, Set<Block> stripe) {
      path = file.path();
      inode = file.inode();
      blocks = file.contents().stream().filter(stripe::contains).collect(Collectors.toSet());
      version = file.version();
    }
  }

  /**
   * @param members the members with blocks in the stripe, as of now
   * @param parity the parity file, as of now
   * @param stripe the blocks of the stripe
   * @param nanos {@code System::nanoTime}
   */
  StripeFiles(
      Namespace namespace,
      CatchUp catchUp,
      LongSupplier nanos,
      Collection<LocatedFile> members,
      LocatedFile parity,
      Set<Block> stripe) {
    this.namespace = namespace;
    this.catchUp = catchUp;
    this.nanos = nanos;
    this.members =
        members.stream()
            .map(file -> new Seen(file, stripe))
            .filter(file -> !file.blocks.isEmpty())
            .toList();
    this.files = Stream.concat(this.members.stream(), Stream.of(new Seen(parity, stripe))).toList();
    this.comparedNanos = new AtomicLong(nanos.getAsLong());
  }

  /**
   * Asks the NameNode for a block of the stripe.
   *
   * @return empty if its file does not have exactly this block any more
   */
  Optional<LocatedBlock> now(Block block) throws IOException {
    catchUp.run();
    for (Seen file : files) {
      if (file.blocks.contains(block)) {
        Optional<LocatedBlock> found = find(block, file, namespace.file(file.inode));
        return found.isPresent() ? found : find(block, file, namespace.file(file.path));
      }
    }
    return Optional.empty();
  }

  private static Optional<LocatedBlock> find(Block block, Seen then, Optional<LocatedFile> now) {
    return now.filter(file -> file.inode() == then.inode).stream()
        .flatMap(file -> file.completeBlocks().stream())
        .filter(located -> located.block().equals(block))
        .findFirst();
  }

  /**
   * Checks the members after a read.
   *
   * @throws IOException if one has been changed, so that the bytes may be wrong
   */
  void requireUnchanged() throws IOException {
    long compared = comparedNanos.get();
    long now = nanos.getAsLong();
    // One of the readers that come at the same time compares for all.
    if (now - compared >= BLOCKS_EVERY_NANOS && comparedNanos.compareAndSet(compared, now)) {
      boolean same = false;
      try {
        requireSameBlocks();
        same = true;
      } finally {
        if (!same) {
          var unused = comparedNanos.compareAndSet(now, compared); // the next reader compares
        }
      }
      return;
    }
    catchUp.run();
    for (Seen file : members) {
      FileVersion version = file.version;
      // A file in a snapshot has its old blocks at its path only.
      if (!namespace.version(file.inode).filter(version::equals).isPresent()
          && !namespace.version(file.path).filter(version::equals).isPresent()) {
        requireSameBlocks(file);
      }
    }
  }

  /**
   * Checks the blocks after a read, whatever the versions of the files.
   *
   * @throws IOException if a file does not have its blocks of the stripe any more
   */
  void requireSameBlocks() throws IOException {
    long now = nanos.getAsLong();
    catchUp.run();
    for (Seen file : files) {
      requireSameBlocks(file);
    }
    comparedNanos.set(now);
  }

  private void requireSameBlocks(Seen file) throws IOException {
    if (!hasSameBlocks(file, namespace.file(file.inode))
        && !hasSameBlocks(file, namespace.file(file.path))) {
      throw new IOException(
          "The file with inode id %d was changed while its stripe was read; the rebuilt bytes were discarded"
              .formatted(file.inode));
    }
  }

  private static boolean hasSameBlocks(Seen then, Optional<LocatedFile> now) {
    boolean same =
        now.filter(file -> file.inode() == then.inode)
            .filter(file -> Set.copyOf(file.contents()).containsAll(then.blocks))
            .isPresent();
    if (same) {
      then.version = now.get().version();
    }
    return same;
  }
}
