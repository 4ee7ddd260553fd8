package io.hdfsraid.raidnode.namespace;

import java.util.Objects;

/**
 * Somebody opened a file for reading, and named it by its number.
 *
 * @param at milliseconds since 1970, of the NameNode's clock
 * @param client as of {@link Access#client}
 */
public record InodeAccess(long inode, long at, String client) {
  public InodeAccess {
    Objects.requireNonNull(client, "client");
  }

  /** The same, by the path that the file has. */
  public Access at(String path) {
    return new Access(path, at, client);
  }
}
