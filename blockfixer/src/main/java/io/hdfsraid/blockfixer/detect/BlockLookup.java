package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Looks up the block of a unit, as the NameNode shows it now: finds the file that the manifest
 * names by its inode id, and the block in it. Safe for concurrent use.
 */
public final class BlockLookup {
  private final Namespace namespace;
  private final DetachedBlocks detached;
  private final ParityFile parity;

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
        namespace
            .file(inode(stripe, unit))
            .flatMap(
                file ->
                    file.completeBlocks().stream()
                        .filter(now -> now.block().equals(block))
                        .findFirst());
    return own.isPresent() || stripe.codec().shape().isParity(unit)
        ? own
        : Optional.ofNullable(detached.locate(List.of(block)).get(block));
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
