package io.hdfsraid.raidnode.config;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.hdfsraid.policies.settings.Problems;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Checks who can reach the daemon: an address that other machines reach needs a token, because
 * anyone who reaches the daemon can change the cluster.
 */
final class AccessCheck {
  private static final String TOKEN_FILE = "api.tokenFile";
  private static final int SHORTEST_TOKEN = 16;

  private final Problems problems;

  AccessCheck(Problems problems) {
    this.problems = problems;
  }

  /** Returns the configured token; mistakes are added to the problems. */
  Optional<String> token(RaidNodeConfiguration node, Path folder) {
    Optional<Path> file = node.api().tokenFile().map(folder::resolve);
    if (file.isEmpty()) {
      refuseStrangers(node.getServerFactory());
    }
    return file.flatMap(this::read);
  }

  private void refuseStrangers(ServerFactory server) {
    if (server instanceof DefaultServerFactory two) {
      refuseStrangers("server.applicationConnectors", two.getApplicationConnectors());
      refuseStrangers("server.adminConnectors", two.getAdminConnectors());
    } else if (server instanceof SimpleServerFactory one) {
      refuse("server.connector", one.getConnector());
    } else {
      problems.add("server.type", "must be default or simple");
    }
  }

  private void refuseStrangers(String key, List<ConnectorFactory> connectors) {
    for (int i = 0; i < connectors.size(); i++) {
      refuse("%s[%d]".formatted(key, i), connectors.get(i));
    }
  }

  private void refuse(String key, ConnectorFactory connector) {
    String host = connector instanceof HttpConnectorFactory http ? http.getBindHost() : null;
    if (!isLoopback(host)) {
      problems.add(
          key + ".bindHost",
          "%s can be reached from other machines, and whoever reaches it can change the cluster: bind to 127.0.0.1, or name a token file in %s"
              .formatted(host == null ? "no address means all of them, which" : host, TOKEN_FILE));
    }
  }

  private static boolean isLoopback(String host) {
    if (host == null) {
      return false;
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private Optional<String> read(Path file) {
    try {
      PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (posix != null
          && posix.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ)) {
        problems.add(TOKEN_FILE, "%s can be read by everybody: chmod o-r %s".formatted(file, file));
        return Optional.empty();
      }
      String token = Files.readString(file).strip();
      if (token.length() < SHORTEST_TOKEN || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        problems.add(
            TOKEN_FILE,
            "%s must hold one token of at least %d printable characters without a space"
                .formatted(file, SHORTEST_TOKEN));
        return Optional.empty();
      }
      return Optional.of(token);
    } catch (NoSuchFileException e) {
      problems.add(TOKEN_FILE, file + " does not exist");
    } catch (IOException e) {
      problems.add(TOKEN_FILE, "%s cannot be read: %s".formatted(file, e));
    }
    return Optional.empty();
  }
}
