// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration of a daemon in which little happens by itself: a test asks for the rest. */
public record QuietDaemon(Path conf) {

  /** Writes both files as {@link #with} does, with scans and checks every few seconds. */
  public Path busyWith(String more) throws IOException {
    Path file = with(more).resolve("raidnode.yml");
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst("scan: \"[^\"]*\"", "scan: \"0/2 * * * * ?\"")
            .replaceFirst("integrityCheck: \"[^\"]*\"", "integrityCheck: \"1/2 * * * * ?\""));
    return conf;
  }

  /**
   * Writes both files.
   *
   * @param more further lines of {@code raidnode.yml}
   * @return the folder of the files
   */
  public Path with(String more) throws IOException {
    Files.createDirectories(conf);
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        catalog: {directory: ../catalog}
        schedule: {scan: "0 0 0 1 1 ? 2098", integrityCheck: "0 0 0 1 1 ? 2098", cleanUp: "0 0 0 1 1 ? 2098"}
        recency: {atimeSince: 2020-01-01T00:00:00Z}
        api: {withoutToken: admin}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          requestLog: {appenders: []}
        """
            + more);
    Files.writeString(
        conf.resolve("policies.yml"),
        """
        policies:
          - {name: warehouse, paths: ["/warehouse/**"], coldAfter: 90d, minAge: 0, codec: rs-3-2}
        """);
    return conf;
  }
}
