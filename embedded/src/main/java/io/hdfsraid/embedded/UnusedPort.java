// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * A port outside the range from which Linux takes local ports. Clients try to connect to a server
 * that is away all the time. Sooner or later such an attempt gets the port itself as its local one,
 * is connected to itself, and holds the port as long as that client lives.
 */
final class UnusedPort {
  private static final int LOWEST_PORT = 20_000;
  private static final int PORTS = 12_000;
  private static final int MOST_PORTS_TRIED = 100;

  private UnusedPort() {}

  static int find() throws IOException {
    Random random = new Random();
    for (int attempt = 0; attempt < MOST_PORTS_TRIED; attempt++) {
      int port = LOWEST_PORT + random.nextInt(PORTS);
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (BindException e) {
        // somebody has it
      }
    }
    throw new IOException("No port was free in %d attempts".formatted(MOST_PORTS_TRIED));
  }
}
