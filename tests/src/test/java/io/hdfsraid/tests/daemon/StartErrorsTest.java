// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person reads whose daemon does not start, before any HDFS is reached. */
class StartErrorsTest {
  private static final String LOCAL =
      """
      catalog: {directory: catalog}
      api: {withoutToken: admin}
      server:
        applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
        adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
      """;

  @TempDir Path folder;

  @Test
  void everythingThatIsWrongIsNamedAtOnceAndNothingIsStarted() throws IOException {
    Path conf =
        configure(
            "wrong",
            """
            repair: {workers: 0, delya: 5s}
            schedule: {scan: "at noon"}
            api: {withoutToken: everybody}
            """,
            """
            policies:
              - {name: a, paths: ["/a/**"], coldAfter: 90d, codec: rs-ten-4}
              - {name: b, paths: ["/b/**"], coldAfter: soon, codec: rs-3-2, colour: red}
            """);
    try (DaemonProcess daemon = DaemonProcess.launch(conf, Optional.empty(), Map.of())) {
      assertThat(daemon.exitCode()).as("EX_CONFIG").isEqualTo(78);
      assertThat(daemon.output().lines())
          .as(daemon.output())
          .anyMatch(line -> line.startsWith(conf + "/raidnode.yml: repair.workers: must be"))
          .anyMatch(line -> line.contains("raidnode.yml: repair.delya: is not a key here; did you"))
          .anyMatch(line -> line.contains("raidnode.yml: schedule.scan: "))
          .anyMatch(
              line ->
                  line.contains("raidnode.yml: api.withoutToken: must be none, viewer, operator"))
          .anyMatch(line -> line.startsWith(conf + "/policies.yml: policies[0].codec: "))
          .anyMatch(line -> line.contains("policies.yml: policies[1].coldAfter: "))
          .anyMatch(line -> line.contains("policies.yml: policies[1].colour: "))
          .last()
          .isEqualTo("Nothing was started.");
      daemon.assertNoStackTrace();
    }
    try (Stream<Path> files = Files.list(conf)) {
      assertThat(files).noneMatch(Files::isDirectory);
    }
  }

  @Test
  void anHdfsThatIsNotThereIsSaidInALineAndWaitedFor() throws Exception {
    int nobody = portOfNobody();
    Path hadoop = hadoop(nobody);
    try (DaemonProcess unset =
            DaemonProcess.launch(
                configure("unset", LOCAL, "policies: []"), Optional.empty(), Map.of());
        DaemonProcess alone =
            DaemonProcess.launch(
                configure("alone", LOCAL, "policies: []"), Optional.of(hadoop), Map.of())) {
      unset.assertRefused("Set HADOOP_CONF_DIR to the folder with the cluster's core-site.xml");
      Until.holds(() -> alone.output().contains("REST answers 503 on "), alone::output);
      assertThat(alone.output())
          .contains(
              "NameNode hdfs://127.0.0.1:%d does not answer: ".formatted(nobody),
              "Connection refused");
      alone.assertNoStackTrace();
    }
  }

  @Test
  @Tag("full")
  void itIsFoundAndStoppedByItsConfigurationAndDoesNotStartTwice() throws Exception {
    Path conf = configure("daemon", LOCAL, "policies: []");
    assertThat(outcome(conf, 3, "status")).startsWith("No daemon runs with " + conf);
    try (DaemonProcess daemon =
        DaemonProcess.launch(conf, Optional.of(hadoop(portOfNobody())), Map.of())) {
      String process = "Process %d ".formatted(daemon.pid());

      assertThat(outcome(conf, 0, "status", "--await", Long.toString(daemon.pid())))
          .contains(process + "runs since 20", ", REST on http://127.0.0.1:")
          .contains("It is not ready: it waits for its NameNode");
      assertThat(outcome(conf, 0, "check")).contains(process + "runs with this configuration");
      try (DaemonProcess second = DaemonProcess.launch(conf, Optional.empty(), Map.of())) {
        second.assertRefused(process + "is a daemon that runs with this configuration");
      }
      assertThat(outcome(conf, 0, "stop")).isEqualTo(process + "has stopped\n");
      assertThat(daemon.exitCode()).as("SIGTERM").isEqualTo(143);
    }
    assertThat(outcome(conf, 0, "stop")).startsWith("No daemon runs with ");
    assertThat(outcome(conf, 3, "status")).startsWith("No daemon runs with ");
  }

  @Test
  void whatTheMachineRefusesIsFoundBeforeTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path conf =
          configure(
              "taken",
              LOCAL
                  .replaceFirst("port: 0", "port: " + taken.getLocalPort())
                  .replace("catalog}", "raidnode.yml/catalog}")
                  .replace("api: {", "api: {tokensFile: tokens.json, "),
              "policies: []");
      Files.writeString(conf.resolve("tokens.json"), "[not JSON");
      Files.setPosixFilePermissions(
          conf.resolve("tokens.json"), PosixFilePermissions.fromString("rw-------"));

      assertThat(outcome(conf, 75, "check").lines())
          .filteredOn(line -> !line.startsWith("Warning: "))
          .hasSize(3)
          .allMatch(line -> line.startsWith(conf + "/raidnode.yml: "))
          .anyMatch(line -> line.contains(": api.tokensFile: "))
          .anyMatch(line -> line.contains("is not a folder in which this user may write"))
          .anyMatch(line -> line.contains("server: port %d ".formatted(taken.getLocalPort())));
    }
  }

  private static String outcome(Path conf, int exitCode, String... arguments) throws IOException {
    try (DaemonProcess command =
        DaemonProcess.launch(conf, Optional.empty(), Map.of(), arguments)) {
      assertThat(command.exitCode()).as(command::output).isEqualTo(exitCode);
      return command.output();
    }
  }

  private static int portOfNobody() throws IOException {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return closed.getLocalPort();
    }
  }

  /** Returns a Hadoop configuration whose NameNode is away. */
  private Path hadoop(int port) throws IOException {
    Path hadoop = Files.createDirectory(folder.resolve("hadoop"));
    Files.writeString(
        hadoop.resolve("core-site.xml"),
        "<configuration><property><name>fs.defaultFS</name><value>hdfs://127.0.0.1:%d</value></property></configuration>"
            .formatted(port));
    return hadoop;
  }

  private Path configure(String name, String node, String policies) throws IOException {
    Path conf = Files.createDirectory(folder.resolve(name));
    Files.writeString(conf.resolve("raidnode.yml"), node);
    Files.writeString(conf.resolve("policies.yml"), policies);
    return conf;
  }
}
