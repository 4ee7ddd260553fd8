// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.process;

import java.io.IOException;

/** Thrown where a daemon is to be started that runs already. */
public final class DaemonRunsException extends IOException {
  private static final long serialVersionUID = 1;

  DaemonRunsException(String message) {
    super(message);
  }
}
