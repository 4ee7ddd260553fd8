// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import java.net.URI;
import org.eclipse.jetty.server.Server;

/** The place at which the HTTP servers of one daemon answer: while it waits, stands by, works. */
@FunctionalInterface
interface HttpPlace {
  /** Lets a daemon have ports of its own. */
  HttpPlace OWN_PORTS =
      server -> {
        server.start();
        return new Addresses(
            RunningRaidNode.address(server, "application"),
            RunningRaidNode.address(server, "admin"));
      };

  /**
   * The addresses at which people and monitoring find a daemon.
   *
   * @param rest the API is below it
   */
  record Addresses(URI rest, URI admin) {}

  /** Starts a server, which answers there until it is stopped. */
  Addresses start(Server server) throws Exception;
}
