// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A KDC in this process, for the realm EXAMPLE.COM. It can be stopped and started again. */
final class Kdc implements AutoCloseable {
  static final String REALM = "EXAMPLE.COM";

  private final SimpleKdcServer server;
  private final Path folder;
  private final int port;
  private boolean running;

  private Kdc(SimpleKdcServer server, Path folder, int port) {
    this.server = server;
    this.folder = folder;
    this.port = port;
  }

  /**
   * Starts a KDC.
   *
   * @param folder for what it needs
   */
  static Kdc start(Path folder) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    SimpleKdcServer server = new SimpleKdcServer();
    server.setKdcRealm(REALM);
    server.setKdcHost("127.0.0.1");
    server.setAllowUdp(false);
    server.setKdcTcpPort(port);
    server.setWorkDir(Files.createDirectories(folder.resolve("kdc")).toFile());
    server.init();
    Kdc kdc = new Kdc(server, folder, port);
    kdc.goOn();
    return kdc;
  }

  /** Writes a {@code krb5.conf} whose users ask for tickets that live so long. */
  Path krb5Conf(Duration lifetime) throws IOException {
    return Files.writeString(
        folder.resolve("krb5-%d.conf".formatted(lifetime.toSeconds())),
        """
            [libdefaults]
              default_realm = %s
              ticket_lifetime = %ds
              udp_preference_limit = 1
              kdc_timeout = 2000
              max_retries = 1
              dns_lookup_kdc = false
            [realms]
              %s = {
                kdc = 127.0.0.1:%d
              }
            """
            .formatted(REALM, lifetime.toSeconds(), REALM, port));
  }

  /**
   * Creates principals, unless there are, and writes their keys into a file that only its owner may
   * read.
   */
  Path keytab(Path file, String... principals) throws Exception {
    List<String> known = server.getKadmin().getPrincipals();
    for (String principal : principals) {
      if (!known.contains(principal + "@" + REALM)) {
        server.createPrincipal(principal);
      }
    }
    for (String principal : principals) {
      server.exportPrincipal(principal, file.toFile());
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    return file;
  }

  /** Writes a ticket of a principal, as {@code kinit} does. */
  Path ticketCache(Path file, String principal, Path keytab) throws Exception {
    KrbClient client = server.getKrbClient();
    client.storeTicket(client.requestTgt(principal + "@" + REALM, keytab.toFile()), file.toFile());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  /** Answers no more. */
  void stop() throws Exception {
    server.stop();
    running = false;
  }

  /** Answers again, with the same principals. */
  void goOn() throws Exception {
    server.start();
    running = true;
  }

  @Override
  public void close() throws IOException {
    try {
      if (running) {
        stop();
      }
    } catch (Exception e) {
      throw new IOException("The KDC does not stop", e);
    }
  }
}
