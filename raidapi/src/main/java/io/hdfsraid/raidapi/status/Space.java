// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Bytes of raided files and what raiding saves.
 *
 * @param logicalBytes lengths of all raided files
 * @param physicalBytes bytes that the files and their parity occupy on disks
 * @param parityBytes the part of the physical bytes that is parity
 * @param savedBytes bytes that the files would occupy in addition with their original replication
 */
public record Space(long logicalBytes, long physicalBytes, long parityBytes, long savedBytes) {
  /** Returns the bytes on disk per byte of data, parity included; 0 without data. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double effectiveReplication() {
    return logicalBytes == 0 ? 0 : (double) physicalBytes / logicalBytes;
  }
}
