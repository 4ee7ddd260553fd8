// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.status.Status;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has: which RaidNode to ask, and how to print its answer. */
public abstract class ShellOptions {
  /** How long one of several daemons is waited for before the next is asked. */
  private static final Duration PROBE = Duration.ofSeconds(10);

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      defaultValue = "${RAIDNODE_URL:-http://127.0.0.1:8090}",
      converter = DaemonAddresses.Parser.class,
      description =
          "Address of the RaidNode, or of several, separated by commas: the active one is asked. Default: $RAIDNODE_URL, else http://127.0.0.1:8090")
  private DaemonAddresses addresses;

  @Option(
      names = "--nameservice",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      defaultValue = "${RAIDNODE_NAMESERVICE}",
      description = "Which HDFS, of a RaidNode that guards several. Default: $RAIDNODE_NAMESERVICE")
  private String nameservice;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      defaultValue = "${RAIDNODE_TOKEN_FILE}",
      description = "File with the token of the RaidNode. Default: $RAIDNODE_TOKEN_FILE")
  private Path tokenFile;

  @Option(
      names = "--kerberos",
      scope = ScopeType.INHERIT,
      description = "Use your Kerberos ticket (kinit) instead of a token.")
  private boolean kerberos;

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      defaultValue = "${RAIDNODE_CACERT}",
      description =
          "Certificates in PEM to trust for https. Default: $RAIDNODE_CACERT, else Java's")
  private Path certificates;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print the answer of the RaidNode as JSON, for programs.")
  private boolean json;

  @Option(
      names = "--wide",
      scope = ScopeType.INHERIT,
      description =
          "Cut and fold nothing to fit the terminal. The output to a file or a pipe is always wide.")
  private boolean wide;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print a stack trace with an error.")
  private boolean verbose;

  private DirectAccess directAccess;
  private Optional<NamedCluster> cluster = Optional.empty();

  /** Sets what serves the option {@code --offline}. */
  protected final void use(DirectAccess found) {
    directAccess = found;
  }

  /** Sets the cluster that the paths of the command name. */
  final void use(Optional<NamedCluster> named) {
    cluster = named;
  }

  /** Returns a client of the RaidNode, which works on the cluster that the paths name. */
  public final RaidNodeClient client() throws IOException {
    RaidNodeClient client = anyClient();
    if (cluster.isPresent()) {
      cluster.get().requireOf(client);
    }
    return client;
  }

  /**
   * Returns a client of the active daemon, to which those that stand by send. Some daemons may be
   * down, and one that was cut off from the NameNode may not know yet that another has taken over.
   */
  private RaidNodeClient anyClient() throws IOException {
    Optional<RaidNodeClient> answering = Optional.empty();
    for (URI url : addresses.all()) {
      RaidNodeClient client = client(url);
      if (addresses.all().size() == 1) {
        return client;
      }
      try {
        if (client.withTimeout(PROBE).status().owner().state() == Status.Owner.State.HELD) {
          return client;
        }
        answering = answering.or(() -> Optional.of(client));
      } catch (RaidNodeException e) {
        if (e.code() == ErrorCode.UNAUTHORIZED || e.code() == ErrorCode.FORBIDDEN) {
          return client; // the command itself says what is wrong
        }
      }
    }
    return answering.isPresent() ? answering.get() : client(addresses.all().get(0));
  }

  /** Returns the addresses of the daemons, in the order of the command line. */
  public final List<URI> urls() {
    return addresses.all();
  }

  /** Returns a client of the daemon at one of the addresses, for which it waits only briefly. */
  public final RaidNodeClient probe(URI url) throws IOException {
    return client(url).withTimeout(PROBE);
  }

  private RaidNodeClient client(URI url) throws IOException {
    try {
      RaidNodeClient client = RaidNodeClient.at(below(url));
      if (certificates != null) {
        client = client.withCertificates(certificates);
      }
      if (kerberos) {
        return client.withKerberos();
      }
      return tokenFile == null ? client : client.withTokenFile(tokenFile);
    } catch (IllegalArgumentException e) {
      throw new ShellException(ExitCode.USAGE, e.getMessage(), "See --url.");
    }
  }

  private URI below(URI url) {
    return nameservice == null || nameservice.isEmpty()
        ? url
        : URI.create(url.toString().replaceAll("/+$", "") + ApiPaths.NAMESERVICES + nameservice);
  }

  /** Returns the access without a RaidNode, to the HDFS that the paths name. */
  public final DirectAccess directAccess() {
    if (directAccess == null) {
      throw new ShellException(
          ExitCode.USAGE,
          "The jars for --offline are not on the class path",
          "bin/raidshell of the installation adds them.");
    }
    return cluster.isPresent() ? directAccess.at(cluster.get().uri()) : directAccess;
  }

  public final boolean json() {
    return json;
  }

  /** Returns whether the output is to be shown in full although it does not fit the terminal. */
  public final boolean wide() {
    return wide;
  }

  public final boolean verbose() {
    return verbose;
  }
}
