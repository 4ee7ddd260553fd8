// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import java.io.IOException;

/**
 * Thrown while a repair waits for containers, when more of its stripe was lost: it may be at risk
 * now, and those wait for no container.
 */
final class FurtherLossException extends IOException {
  private static final long serialVersionUID = 1L;

  FurtherLossException(long parityInode, int stripe) {
    super(
        "More of stripe %d of parity inode %d was lost while its repair waited for a container"
            .formatted(stripe, parityInode));
  }
}
