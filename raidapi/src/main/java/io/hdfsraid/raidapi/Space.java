package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Where the bytes are, and went.
 *
 * @param logicalBytes lengths of all raided files
 * @param physicalBytes what they and their parity occupy on disks
 * @param parityBytes the part of it that is parity
 * @param savedBytes what they would occupy more with their original replication
 */
public record Space(long logicalBytes, long physicalBytes, long parityBytes, long savedBytes) {
  /** Bytes on disk per byte of data, parity included; 0 when there is no data. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double effectiveReplication() {
    return logicalBytes == 0 ? 0 : (double) physicalBytes / logicalBytes;
  }
}
