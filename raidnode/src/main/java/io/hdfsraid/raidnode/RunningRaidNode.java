// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import java.net.URI;
import java.util.Arrays;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon that runs. */
public final class RunningRaidNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningRaidNode.class);

  private final Daemon daemon;
  private final Server server;
  private final HttpPlace.Addresses addresses;
  private volatile boolean deposed;

  RunningRaidNode(Daemon daemon, Server server, HttpPlace.Addresses addresses) {
    this.daemon = daemon;
    this.server = server;
    this.addresses = addresses;
    daemon.end().thenAccept(this::end);
  }

  /** Ends the daemon from a thread of its own: whoever says so may be one of its jobs. */
  private void end(String reason) {
    deposed = true;
    LOG.info("RaidNode ends: {}", reason); // an error was logged by whoever met it
    new Thread(this::close, "deposed").start();
  }

  /**
   * Whether the daemon has ended, or is about to end, because another one has taken over or the
   * namespace was set back.
   */
  public boolean isDeposed() {
    return deposed;
  }

  public Daemon daemon() {
    return daemon;
  }

  /** Where the REST API is, for a client on this machine. */
  public URI address() {
    return addresses.rest();
  }

  /** Where metrics and health checks are. */
  public URI adminAddress() {
    return addresses.admin();
  }

  static URI address(Server server, String name) {
    return Arrays.stream(server.getConnectors())
        .filter(NetworkConnector.class::isInstance)
        .map(NetworkConnector.class::cast)
        // Dropwizard's simple server has one connector for both, of another name.
        .min((a, b) -> Boolean.compare(!name.equals(a.getName()), !name.equals(b.getName())))
        .map(RunningRaidNode::address)
        .orElseThrow();
  }

  private static URI address(NetworkConnector connector) {
    String host = connector.getHost() == null ? "localhost" : connector.getHost();
    String scheme = connector.getProtocols().contains("ssl") ? "https" : "http";
    return URI.create(
        "%s://%s:%d"
            .formatted(
                scheme, host.contains(":") ? "[" + host + "]" : host, connector.getLocalPort()));
  }

  /** Waits until it is stopped. */
  public void join() throws InterruptedException {
    server.join();
  }

  /**
   * Stops the daemon: it accepts no more requests, starts no more jobs, interrupts the running
   * ones, waits for their end, and closes everything in the reverse order of opening.
   */
  @Override
  public void close() {
    try {
      server.stop();
      server.join();
    } catch (Exception e) {
      LOG.warn("The daemon did not stop cleanly", e);
    }
  }
}
