package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.List;

/**
 * That the DataNodes have answered the recorded checksum for every replica of every unit, and that
 * the parity of each stripe lies on m different nodes. Only {@link ParityProver} makes one, and
 * replication is lowered only on one.
 */
record Proof(ParityFile parity, List<LocatedStripe> stripes) {
  Proof {
    stripes = List.copyOf(stripes);
  }
}
