package io.hdfsraid.raidnode.namespace;

import java.util.Objects;

/**
 * Somebody opened a file for reading.
 *
 * @param at milliseconds since 1970, of the NameNode's clock
 * @param client the IP address from which it was asked for; empty where that is not told
 */
public record Access(String path, long at, String client) {
  public Access {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(client, "client");
  }

  /** One of which is not told who it was. */
  public Access(String path, long at) {
    this(path, at, "");
  }
}
