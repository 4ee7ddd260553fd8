// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

import java.util.Objects;

/**
 * An open of a file for reading.
 *
 * @param at milliseconds since 1970, by the clock of the NameNode
 * @param client the IP address of the client; empty if unknown
 */
public record Access(String path, long at, String client) {
  public Access {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(client, "client");
  }

  /** An access by an unknown client. */
  public Access(String path, long at) {
    this(path, at, "");
  }
}
