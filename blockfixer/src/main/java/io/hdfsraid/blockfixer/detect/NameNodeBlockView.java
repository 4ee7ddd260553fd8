package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Asks for the file that the manifest names, by inode id, and looks for the block in it. */
public final class NameNodeBlockView implements BlockView {
  private final Namespace namespace;
  private final ParityFile parity;

  /**
   * @param parity the file all asked stripes belong to
   */
  public NameNodeBlockView(Namespace namespace, ParityFile parity) {
    this.namespace = namespace;
    this.parity = parity;
  }

  @Override
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
    return namespace
        .file(inode(stripe, unit))
        .flatMap(
            file -> complete(file).stream().filter(now -> now.block().equals(block)).findFirst());
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

  /** Without the last block of a file that is being written, whose length is a guess. */
  private static List<LocatedBlock> complete(FileState file) {
    List<LocatedBlock> blocks = file.blocks();
    return file.underConstruction() && !blocks.isEmpty()
        ? blocks.subList(0, blocks.size() - 1)
        : blocks;
  }
}
