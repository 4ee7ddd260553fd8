// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.List;

/**
 * Proof that the DataNodes have answered the recorded checksum for every replica of every unit, and
 * that the parity of each stripe lies on m different nodes. Only {@link ParityProver} creates
 * proofs. The replication of a file is lowered only with a proof at hand.
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

  public ParityFile parity() {
    return parity;
  }

  public List<LocatedStripe> stripes() {
    return stripes;
  }
}
