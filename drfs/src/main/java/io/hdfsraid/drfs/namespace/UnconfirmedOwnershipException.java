// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/**
 * Thrown when it is not known whether this process still is the only writer, for example because
 * the NameNode does not answer. It may only do what is safe for every process: raise replication.
 */
public final class UnconfirmedOwnershipException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnconfirmedOwnershipException(String message, IOException cause) {
    super(message, cause);
  }
}
