// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;

/** Another process is the one writer of this cluster, or has not been gone for long enough. */
public final class OwnedByAnotherException extends RefusedException {
  private static final long serialVersionUID = 1;

  OwnedByAnotherException(String message) {
    super(message);
  }
}
