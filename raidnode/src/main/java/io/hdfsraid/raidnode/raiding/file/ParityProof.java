// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import java.util.List;
import java.util.Set;

/**
 * Proof that the DataNodes have answered the recorded checksum for every replica of every unit.
 * Only {@link ParityProver} creates proofs. The replication of a file is lowered only with a proof
 * at hand that shows the parity of each stripe on m different nodes.
 */
public final class ParityProof {
  private final ParityFile parity;
  private final List<LocatedStripe> stripes;

  ParityProof(ParityFile parity, List<LocatedStripe> stripes) {
    this.parity = parity;
    this.stripes = List.copyOf(stripes);
  }

  /** Returns the same proof for the same parity after the rename that committed it. */
  public ParityProof committedAs(ParityFile committed) {
    return new ParityProof(committed, stripes);
  }

  /** Returns whether the parity of each stripe lies on m different nodes. */
  public boolean isApart() {
    return stripes.stream().noneMatch(ParitySeparation::isCrowded);
  }

  /**
   * Requires the same.
   *
   * @throws LeftAlone that names the stripe and the nodes
   */
  public void requireApart() throws LeftAlone {
    for (LocatedStripe stripe : stripes) {
      Set<DataNode> crowded = ParitySeparation.crowdedNodes(stripe);
      if (!crowded.isEmpty()) {
        throw new LeftAlone(
            Reason.PARITY_CROWDED, "Two parity units of %s lie on %s".formatted(stripe, crowded));
      }
    }
  }

  public ParityFile parity() {
    return parity;
  }

  public List<LocatedStripe> stripes() {
    return stripes;
  }
}
