package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.namespace.IndexedFile;
import java.util.OptionalInt;

/** Why a file is not among those that may be raided next: what is written of it in the index. */
public enum Aside {
  /** The policies leave it, for a reason that only a change of it or of them changes. */
  LEFT(1),
  /** Too few others of its directory could share parity with it. */
  NO_COMPANY(2),
  /** It has parity; the catalog knows more. */
  RAIDED(3),
  /** Raiding has found that it cannot be done for now; the catalog knows more. */
  REFUSED(4);

  private final int tag;

  Aside(int tag) {
    this.tag = tag;
  }

  public int tag() {
    return tag;
  }

  /** Whether this is why the file is set aside. */
  public boolean holds(IndexedFile file) {
    return file.setAside().equals(OptionalInt.of(tag));
  }
}
