// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.dropwizard.jetty.HttpConnectorFactory;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.process.PidFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The folders, ports and files that a daemon needs on this machine. Changes nothing. */
final class LocalResources {
  private final Settings settings;
  private final Clock clock;

  LocalResources(Settings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Returns what keeps a daemon of this user from starting here, a line each. The ports are tried
   * by listening on them for a moment.
   *
   * @param running the daemon that runs with this configuration, to which the ports belong
   */
  List<String> problems(Optional<PidFile.RunningProcess> running) {
    List<String> problems = new ArrayList<>();
    folder(settings.catalogDirectory()).ifPresent(problems::add);
    try {
      new TokensFile(settings.tokensFile(), clock).read();
    } catch (IOException e) {
      problems.add("api.tokensFile: " + e.getMessage());
    }
    if (running.isEmpty()) {
      for (HttpConnectorFactory connector : settings.node().httpConnectors()) {
        port(connector).ifPresent(problems::add);
      }
    }
    return problems;
  }

  /** It is made at the start if it does not exist, and its parents as well. */
  private static Optional<String> folder(Path directory) {
    Path there = directory.toAbsolutePath();
    while (!Files.exists(there)) {
      there = there.getParent();
    }
    if (Files.isDirectory(there) && Files.isWritable(there)) {
      return Optional.empty();
    }
    return Optional.of(
        "catalog.directory: %s: %s is not a folder in which this user may write"
            .formatted(directory, there));
  }

  private static Optional<String> port(HttpConnectorFactory connector) {
    String host = connector.getBindHost();
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(
          host == null
              ? new InetSocketAddress(connector.getPort())
              : new InetSocketAddress(InetAddress.getByName(host), connector.getPort()));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "server: port %d of %s cannot be listened on: %s"
              .formatted(
                  connector.getPort(), host == null ? "all addresses" : host, e.getMessage()));
    }
  }
}
