// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import java.net.URI;
import org.eclipse.jetty.server.Server;

/** Where the HTTP servers of one daemon answer: while it waits, stands by, and works. */
@FunctionalInterface
interface HttpPlace {
  /** Its own ports. */
  HttpPlace OWN_PORTS =
      server -> {
        server.start();
        return new Addresses(
            RunningRaidNode.address(server, "application"),
            RunningRaidNode.address(server, "admin"));
      };

  /**
   * Where people and monitoring find a daemon.
   *
   * @param rest the API is below it
   */
  record Addresses(URI rest, URI admin) {}

  /** Starts a server. Whoever stops it ends its place, too. */
  Addresses start(Server server) throws Exception;
}
