// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

import java.util.Objects;

/**
 * An open of a file for reading by its inode id.
 *
 * @param at milliseconds since 1970, by the clock of the NameNode
 * @param client see {@link Access#client}
 */
public record InodeAccess(long inode, long at, String client) {
  public InodeAccess {
    Objects.requireNonNull(client, "client");
  }

  /** Returns the same access by the path of the file. */
  public Access at(String path) {
    return new Access(path, at, client);
  }
}
