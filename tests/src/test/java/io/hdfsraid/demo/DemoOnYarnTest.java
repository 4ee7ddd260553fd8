// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.raidapi.ApiJson;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo whose files are encoded and repaired by a YARN. */
@Tag("full")
class DemoOnYarnTest {
  @TempDir Path folder;

  @Test
  void containersEncodeAndRepair() throws Exception {
    Path json = folder.resolve("report.json");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exitCode =
        DemoCommand.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "--codec",
            "rs-3-2",
            "--datanodes",
            "9",
            "--engine",
            "yarn",
            "--hadoop",
            Path.of("..", "applications", "hadoop", "target", "jars").toString(),
            "--json",
            json.toString());

    assertThat(exitCode).as("%s%n%s", out, err).isZero();
    JsonNode report = ApiJson.mapper().readTree(json.toFile());
    assertThat(report.path("engine").asText()).isEqualTo("yarn");
    assertThat(report.path("applications")).hasSizeGreaterThanOrEqualTo(2);
    assertThat(report.path("bytesReadInContainers").asLong()).isPositive();
    assertThat(report.path("filesDamaged").asInt(-1)).isZero();
    assertThat(out.toString())
        .containsPattern("Containers of application_[0-9_]+.* the daemon read 0 B")
        .contains("Nothing was lost");
  }
}
