// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import java.util.Optional;

/**
 * A step found that the file must be left as it is. The step has done nothing that must be undone.
 */
public final class LeftAlone extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final transient Optional<Block> block;

  public LeftAlone(Reason reason, String detail) {
    this(reason, detail, Optional.empty());
  }

  public LeftAlone(Reason reason, String detail, Optional<Block> block) {
    super(detail);
    this.reason = reason;
    this.block = block;
  }

  /** The file has this parity already, of its own or with others. */
  public static LeftAlone alreadyRaided(ParityFile parity) {
    String shared = parity.manifest().members().size() > 1 ? " that it shares" : "";
    return new LeftAlone(Reason.ALREADY_RAIDED, "It has committed parity" + shared);
  }

  /** The data block because of which; empty when it is not about one block. */
  public Optional<Block> block() {
    return block;
  }

  public Reason reason() {
    return reason;
  }
}
