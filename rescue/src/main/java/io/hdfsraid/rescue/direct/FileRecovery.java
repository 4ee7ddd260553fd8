// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.UnrecoverableStripeException;
import io.hdfsraid.raidapi.health.RecoveryReport;
import io.hdfsraid.raidapi.health.RecoveryReport.Range;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Copies a file block by block. It reads through parity where HDFS cannot read, and continues after
 * ranges that can neither be read nor rebuilt. It compares all bytes with the checksums that were
 * recorded when the file was raided, if there are any. A mismatch in a block that HDFS can read
 * shows only after the block was written, so a second recovery has to rebuild that block. This
 * class only reads from HDFS. It holds one window, or the rows of one stripe, in memory.
 */
final class FileRecovery {
  /** The size of the ranges that are read, or given up, at once. */
  private static final int WINDOW = 1 << 20;

  private final ReadOnlyHdfs lookout;
  private final Set<Block> wrong;
  private final Set<Block> contradicted = new HashSet<>();
  private final byte[] window = new byte[WINDOW];
  private final List<Range> missing = new ArrayList<>();
  private int checked;
  private long rebuilt;

  /**
   * @param wrong blocks that are rebuilt, whatever HDFS reads of them
   */
  FileRecovery(ReadOnlyHdfs lookout, Set<Block> wrong) {
    this.lookout = lookout;
    this.wrong = wrong;
  }

  /** Blocks that could be read, and do not hold what was recorded. */
  Set<Block> contradicted() {
    return contradicted;
  }

  /**
   * Writes the file to a stream, with zeros for the missing bytes.
   *
   * @param source the file as the NameNode shows it
   * @param to the name of the copy, for the report
   * @throws IOException if the copy cannot continue, or if the file was changed meanwhile; the
   *     written bytes are useless then
   */
  RecoveryReport copy(LocatedFile source, OutputStream out, String to) throws IOException {
    Optional<ParityFile> parity = parityOf(source);
    Map<Block, Integer> recorded = parity.map(FileRecovery::recorded).orElse(Map.of());
    long rebuiltBefore = lookout.fileSystem().degradedReads().bytes();
    try (FSDataInputStream in = lookout.fileSystem().open(new Path(source.path()))) {
      long at = 0;
      for (LocatedBlock block : source.blocks()) {
        if (wrong.contains(block.block())) {
          Reconstruction rebuilding = reconstruction(parity.orElseThrow(), source, block.block());
          if (rebuilding.isPossible()) {
            rebuild(rebuilding, at, block.block(), out);
            at += block.block().length();
            continue;
          }
        }
        copy(in, at, block, Optional.ofNullable(recorded.get(block.block())), out);
        at += block.block().length();
      }
    }
    Optional<LocatedFile> after = lookout.namespace().file(source.path());
    if (after.isEmpty()
        || after.get().inode() != source.inode()
        || !after.get().contents().equals(source.contents())) {
      throw new IOException(
          source.path() + " was changed while it was copied; what was copied is thrown away");
    }
    return new RecoveryReport(
        source.path(),
        to,
        true,
        source.length(),
        lookout.fileSystem().degradedReads().bytes() - rebuiltBefore + rebuilt,
        missing,
        checked,
        source.blocks().size());
  }

  /**
   * Returns no parity for an encrypted file: its checksums are of ciphertext, which we do not see.
   */
  private Optional<ParityFile> parityOf(LocatedFile source) throws IOException {
    if (source.encrypted()) {
      return Optional.empty();
    }
    try {
      return lookout.parityOf(source);
    } catch (AccessControlException | ManifestFormatException e) {
      return Optional.empty(); // as readable as HDFS alone makes it
    }
  }

  /** CRC32C by block. */
  private static Map<Block, Integer> recorded(ParityFile parity) {
    Map<Block, Integer> recorded = new HashMap<>();
    for (Stripe stripe : parity.manifest().stripes()) {
      stripe.data().forEach(unit -> recorded.put(unit.block(), unit.crc()));
    }
    return recorded;
  }

  private Reconstruction reconstruction(ParityFile parity, LocatedFile source, Block block)
      throws IOException {
    return lookout.reconstruction(lookout.stripeOf(parity, source.inode(), block), block);
  }

  private void rebuild(Reconstruction rebuilding, long start, Block block, OutputStream out)
      throws IOException {
    Optional<String> failure = rebuilding.write(out);
    zeros(block.length() - rebuilding.written(), out);
    rebuilt += rebuilding.written();
    checked += failure.isEmpty() ? 1 : 0;
    failure.ifPresent(why -> missing(start, start + block.length(), block, why));
  }

  private void copy(
      FSDataInputStream in, long start, LocatedBlock block, Optional<Integer> crc, OutputStream out)
      throws IOException {
    long length = block.block().length();
    CRC32C seen = new CRC32C();
    int holes = missing.size();
    for (long offset = 0; offset < length; ) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("Cut off at byte %d".formatted(start + offset));
      }
      int count = (int) Math.min(WINDOW, length - offset);
      try {
        in.readFully(start + offset, window, 0, count);
      } catch (BlockMissingException | ChecksumException | UnrecoverableStripeException e) {
        // Without a replica the rest of the block is lost too; other windows of a corrupt one may
        // be good.
        boolean nowhere = block.live().isEmpty() && block.corrupt().isEmpty();
        long until = nowhere ? length : offset + count;
        missing(start + offset, start + until, block.block(), why(e));
        zeros(until - offset, out);
        offset = until;
        continue;
      }
      seen.update(window, 0, count);
      out.write(window, 0, count);
      offset += count;
    }
    if (missing.size() == holes && crc.isPresent()) {
      if ((int) seen.getValue() == crc.get()) {
        checked++;
      } else {
        contradicted.add(block.block());
        missing(
            start,
            start + length,
            block.block(),
            "its CRC32C is %08x, but %08x was recorded when it was raided; the copy holds what was read"
                .formatted((int) seen.getValue(), crc.get()));
      }
    }
  }

  /** One range with the one before it, where they touch. */
  private void missing(long from, long to, Block block, String why) {
    Range last = missing.isEmpty() ? null : missing.get(missing.size() - 1);
    if (last != null && last.to() == from && last.blockId() == block.id()) {
      missing.set(missing.size() - 1, new Range(last.from(), to, block.id(), last.why()));
    } else {
      missing.add(new Range(from, to, block.id(), why));
    }
  }

  /** Why parity did not help says more than that HDFS could not read. */
  private static String why(IOException e) {
    for (Throwable tried : e.getSuppressed()) {
      if (tried instanceof UnrecoverableStripeException) {
        return tried.getMessage();
      }
    }
    String more =
        e.getSuppressed().length == 0 ? "" : " (" + e.getSuppressed()[0].getMessage() + ")";
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("") + more;
  }

  private void zeros(long count, OutputStream out) throws IOException {
    Arrays.fill(window, (byte) 0);
    for (long left = count; left > 0; left -= Math.min(left, WINDOW)) {
      out.write(window, 0, (int) Math.min(left, WINDOW));
    }
  }
}
