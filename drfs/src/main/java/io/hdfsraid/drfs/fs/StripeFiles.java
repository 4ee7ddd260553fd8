package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.namespace.LocatedFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The files of a stripe as they were when the stripe was found. If a file has been changed since, a
 * DataNode may still return the bytes of its old block, or other bytes for it. Safe for concurrent
 * use.
 */
final class StripeFiles {
  private final HdfsNamespace namespace;
  private final CatchUp catchUp;
  private final List<LocatedFile> seen;

  /** Makes observers catch up with the active NameNode before they answer the following calls. */
  interface CatchUp {
    void run() throws IOException;
  }

  /**
   * @param seen the members with blocks in the stripe, and the parity file
   */
  StripeFiles(HdfsNamespace namespace, CatchUp catchUp, List<LocatedFile> seen) {
    this.namespace = namespace;
    this.catchUp = catchUp;
    this.seen = List.copyOf(seen);
  }

  /**
   * Asks the NameNode for a block of the stripe.
   *
   * @return empty if its file does not have exactly this block any more
   */
  Optional<LocatedBlock> now(Block block) throws IOException {
    catchUp.run();
    for (LocatedFile file : seen) {
      if (file.contents().contains(block)) {
        Optional<LocatedBlock> found = find(block, file, namespace.file(file.inode()));
        return found.isPresent() ? found : find(block, file, namespace.file(file.path()));
      }
    }
    return Optional.empty();
  }

  private static Optional<LocatedBlock> find(
      Block block, LocatedFile then, Optional<LocatedFile> now) {
    return now.filter(file -> file.inode() == then.inode()).stream()
        .flatMap(file -> file.completeBlocks().stream())
        .filter(located -> located.block().equals(block))
        .findFirst();
  }

  /**
   * @throws IOException if a file has been changed, so that bytes that were read meanwhile may be
   *     wrong
   */
  void requireUnchanged() throws IOException {
    catchUp.run();
    for (LocatedFile file : seen) {
      // A file in a snapshot has its old blocks at its path only.
      if (!isAs(file, namespace.file(file.inode())) && !isAs(file, namespace.file(file.path()))) {
        throw new IOException(
            "The file with inode id %d was changed while its stripe was read; the rebuilt bytes were discarded"
                .formatted(file.inode()));
      }
    }
  }

  private static boolean isAs(LocatedFile then, Optional<LocatedFile> now) {
    return now.filter(file -> file.inode() == then.inode())
        .filter(file -> file.contents().equals(then.contents()))
        .isPresent();
  }
}
