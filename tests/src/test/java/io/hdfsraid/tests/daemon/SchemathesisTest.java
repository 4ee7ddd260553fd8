// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon answers as its description says. Schemathesis reads the description and sends
 * thousands of requests, right and wrong ones, those that change something included.
 */
@Tag("full")
class SchemathesisTest {
  private static final String VERSION = "4.32.5";
  private static final int LEAST_REQUESTS = 10_000;
  private static final int EXAMPLES = 300;
  private static final int BLOCK = 1 << 20;
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** For example: 10234 generated, 10234 passed. */
  private static final Pattern GENERATED = Pattern.compile("(?m)^\\s*([0-9,]+) generated");

  @TempDir static Path conf;

  @Test
  void everyAnswerIsAsDescribed() throws Exception {
    Path schemathesis = installed();
    try (EmbeddedHdfs hdfs =
        EmbeddedHdfs.builder().dataNodes(6).racks(3).blockSize(BLOCK).start()) {
      Files.writeString(
          conf.resolve("raidnode.yml"),
          """
          catalog: {directory: catalog}
          raiding: {quarantine: 0s}
          schedule: {scan: "0 0 0 1 1 ? 2098", integrityCheck: "0 0 0 1 1 ? 2098", cleanUp: "0 0 0 1 1 ? 2098"}
          recency: {atimeSince: 2020-01-01T00:00:00Z}
          api: {withoutToken: admin}
          standby: {enabled: false}  # or a request for a failover ends the daemon
          server:
            applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
            adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
            requestLog: {appenders: []}
          """);
      Files.writeString(
          conf.resolve("policies.yml"),
          """
          policies:
            - {name: warehouse, paths: ["/warehouse/**"], coldAfter: 90d, minAge: 0, codec: rs-3-2}
          """);
      try (InProcessDaemon daemon = InProcessDaemon.start(conf, hdfs)) {
        raid(hdfs, daemon);
        String said = run(schemathesis, daemon.address());
        Matcher generated = GENERATED.matcher(said);
        assertThat(generated.find()).as(said).isTrue();
        assertThat(Integer.parseInt(generated.group(1).replace(",", "")))
            .isGreaterThanOrEqualTo(LEAST_REQUESTS);
      }
    }
  }

  /** So that there is something to tell: raided files and one that is not. */
  private static void raid(EmbeddedHdfs hdfs, InProcessDaemon daemon) throws Exception {
    FileSystem files = hdfs.fileSystem();
    Random random = new Random(2041);
    for (String name : List.of("a", "b", "c")) {
      byte[] bytes = new byte[4 * BLOCK + 99];
      random.nextBytes(bytes);
      try (OutputStream out = files.create(new org.apache.hadoop.fs.Path("/warehouse/" + name))) {
        out.write(bytes);
      }
    }
    daemon.runJob("scan");
    for (String name : List.of("a", "b")) {
      assertThat(
              daemon
                  .client()
                  .raid(
                      new RaidRequest(
                          "/warehouse/" + name, false, Optional.of("rs-3-2"), Optional.empty()))
                  .outcome())
          .isEqualTo(Outcome.ACCEPTED);
    }
    daemon.awaitState("/warehouse", 2, FileState.RAIDED);
  }

  private static String run(Path schemathesis, URI daemon) throws Exception {
    Path log = TARGET.resolve("schemathesis.log");
    int exit =
        run(
            log,
            schemathesis.toString(),
            "run",
            daemon.resolve(ApiPaths.OPENAPI).toString(),
            "--checks",
            "not_a_server_error,status_code_conformance,content_type_conformance,"
                + "response_schema_conformance,unsupported_method",
            "--max-examples",
            Integer.toString(EXAMPLES),
            "--seed",
            "2041",
            // Who is allowed what is another test: here every request comes from an admin.
            "--generation-with-security-parameters",
            "false",
            "--generation-database",
            "none",
            "--suppress-health-check",
            "all",
            "--continue-on-failure",
            "--no-color");
    String said = Files.readString(log, UTF_8);
    assertThat(exit).as(said).isZero();
    return said;
  }

  /** Installs Schemathesis into a folder of its own. */
  private static Path installed() throws Exception {
    Path folder = TARGET.resolve("schemathesis-" + VERSION);
    Path command = folder.resolve("bin/schemathesis");
    if (Files.isExecutable(command)) {
      return command;
    }
    Path log = TARGET.resolve("schemathesis-install.log");
    try {
      if (run(log, "python3", "-m", "venv", folder.toString()) != 0) {
        abort("python3 cannot make a virtual environment here: " + Files.readString(log, UTF_8));
      }
    } catch (IOException e) {
      abort("There is no python3 to run Schemathesis with: " + e.getMessage());
    }
    String pip = folder.resolve("bin/pip").toString();
    if (run(log, pip, "install", "--quiet", "schemathesis==" + VERSION) != 0) {
      abort("Schemathesis cannot be installed from PyPI: " + Files.readString(log, UTF_8));
    }
    return command;
  }

  private static int run(Path log, String... command) throws Exception {
    Files.createDirectories(log.getParent());
    Process process =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(TARGET.toFile()) // it keeps what it has found beside
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(30, TimeUnit.MINUTES)).as("%s, see %s", command[0], log).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
