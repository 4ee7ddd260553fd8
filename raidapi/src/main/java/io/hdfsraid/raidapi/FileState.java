package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** Where a file is on its way into protection, or out of it. */
public enum FileState {
  /** Stays as it is; the reason says why. */
  LEFT,
  /** To be raided when its policy runs next. */
  CANDIDATE,
  /** Its parity is being computed and written. */
  ENCODING,
  /** The parity was written and its checksums compared; not yet in its place. */
  VERIFIED,
  /** The parity is in its place; the file still has all replicas. */
  COMMITTED,
  /** Replication was lowered; the placement of its stripes is not audited yet. */
  REDUCED,
  /** Protected by parity, placement audited. */
  RAIDED,
  /** Replicas are being restored; the parity stays until they are live. */
  UNRAIDING,
  /** The file changed or vanished; its parity is kept for a while before it is purged. */
  RETIRED,
  /** From a newer daemon. */
  @JsonEnumDefaultValue
  UNKNOWN
}
