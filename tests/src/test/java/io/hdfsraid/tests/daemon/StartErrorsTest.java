package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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
    int nobody;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = closed.getLocalPort();
    }
    Path hadoop = Files.createDirectory(folder.resolve("hadoop"));
    Files.writeString(
        hadoop.resolve("core-site.xml"),
        "<configuration><property><name>fs.defaultFS</name><value>hdfs://127.0.0.1:%d</value></property></configuration>"
            .formatted(nobody));
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
              "NameNode hdfs://127.0.0.1:%d cannot be worked with: ".formatted(nobody),
              "Connection refused");
      alone.assertNoStackTrace();
    }
  }

  private Path configure(String name, String node, String policies) throws IOException {
    Path conf = Files.createDirectory(folder.resolve(name));
    Files.writeString(conf.resolve("raidnode.yml"), node);
    Files.writeString(conf.resolve("policies.yml"), policies);
    return conf;
  }
}
