// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.status.Status;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The cluster that an {@code hdfs://} URI on the command line names.
 *
 * @param uri scheme and authority
 */
public record NamedCluster(URI uri) {
  private static final int DEFAULT_PORT = 8020;

  /**
   * Returns the cluster that the paths of a command name, or else {@code --nameservice}; empty if
   * none is named.
   *
   * @throws ParameterException if several are named
   */
  public static Optional<NamedCluster> of(CommandSpec command) {
    List<URI> named =
        Stream.concat(
                nameservice(command).stream(),
                command.args().stream()
                    .filter(
                        arg ->
                            Stream.of(arg.converters())
                                .anyMatch(HdfsPathConverter.class::isInstance))
                    .flatMap(arg -> arg.originalStringValues().stream())
                    .map(HdfsPathConverter.URI::matcher)
                    .filter(Matcher::matches)
                    .map(uri -> uri.group("authority"))
                    .filter(authority -> !authority.isEmpty()))
            .map(authority -> URI.create("hdfs://" + authority))
            .distinct()
            .toList();
    if (named.size() > 1) {
      throw new ParameterException(
          command.commandLine(), "The paths are on different clusters: " + named);
    }
    return named.stream().findFirst().map(NamedCluster::new);
  }

  /** Returns the value of {@code --nameservice}; empty if it has none. */
  static Optional<String> nameservice(CommandSpec command) {
    return Optional.ofNullable(command.findOption("--nameservice"))
        .map(option -> option.<String>getValue())
        .filter(name -> !name.isEmpty());
  }

  static void requireName(String authority, String text) {
    try {
      if (authority.isEmpty() || new URI("hdfs://" + authority).getHost() != null) {
        return;
      }
    } catch (URISyntaxException e) {
      // as if there were no host
    }
    throw new TypeConversionException(
        "'%s' names no cluster: '%s' is neither a nameservice nor the host:port of a NameNode"
            .formatted(text, authority));
  }

  /**
   * Makes sure that a RaidNode works on this cluster.
   *
   * @throws ShellException if it works on another one
   */
  void requireOf(RaidNodeClient client) throws IOException {
    Status status = client.status();
    List<String> names =
        Stream.concat(
                Stream.of(status.nameservice()),
                status.nameNodes().stream().map(address -> "hdfs://" + address))
            .distinct()
            .toList();
    if (names.stream().map(NamedCluster::canonical).noneMatch(canonical(uri.toString())::equals)) {
      throw new ShellException(
          ExitCode.USAGE,
          "%s is not the cluster of this RaidNode, which works on %s"
              .formatted(uri, String.join(", ", names)),
          "Ask the RaidNode of that cluster (--url), or give a path without a cluster.");
    }
  }

  private static String canonical(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return URI.create(lower).getPort() == DEFAULT_PORT
        ? lower.substring(0, lower.lastIndexOf(':'))
        : lower;
  }
}
