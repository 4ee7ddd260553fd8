// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.recency.index.IndexedFile;
import java.util.OptionalInt;

/** The reason why a file is not a candidate for raiding, as stored in the index. */
public enum SkipReason {
  /** The policies leave it, for a reason that only a change of it or of them changes. */
  LEFT(1),
  /** Too few others of its directory could share parity with it. */
  NO_COMPANY(2),
  /** It has parity; the catalog knows more. */
  RAIDED(3),
  /** Raiding has found that it cannot be done for now; the catalog knows more. */
  REFUSED(4);

  private final int tag;

  SkipReason(int tag) {
    this.tag = tag;
  }

  public int tag() {
    return tag;
  }

  /** Returns whether this is why the file is skipped. */
  public boolean holds(IndexedFile file) {
    return file.skipTag().equals(OptionalInt.of(tag));
  }
}
