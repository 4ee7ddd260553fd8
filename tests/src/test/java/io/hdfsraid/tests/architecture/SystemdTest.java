// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.raidnode.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit that is delivered for systemd. */
class SystemdTest {
  private static final Path UNIT = Path.of("../dist/src/main/systemd/raidnode.service");
  private static final Path SYSTEMD = Path.of("/usr/bin/systemd-analyze");

  @TempDir Path folder;

  private static List<String> values(String key) throws IOException {
    return Files.readAllLines(UNIT).stream()
        .filter(line -> line.startsWith(key + "="))
        .flatMap(line -> Arrays.stream(line.substring(key.length() + 1).split(" ", -1)))
        .toList();
  }

  @Test
  void whatDoesNotGetRightByItselfIsNotStartedAgain() throws IOException {
    assertThat(values("RestartPreventExitStatus"))
        .containsExactlyInAnyOrder(
            Integer.toString(ExitCode.USAGE.number()),
            Integer.toString(ExitCode.CONFIGURATION.number()));
    assertThat(values("Restart")).containsExactly("on-failure");
    assertThat(values("ExecStart")).containsExactly("/opt/hdfs-raid/bin/raidnode", "start");
  }

  /** With a program that is there: the delivered one is not installed on this machine. */
  @Test
  void systemdUnderstandsTheUnit() throws Exception {
    assumeTrue(Files.isExecutable(SYSTEMD), "there is no systemd");
    Path unit = folder.resolve("raidnode.service");
    Files.writeString(
        unit,
        Files.readString(UNIT)
            .replace("/opt/hdfs-raid/bin/raidnode start", "/bin/true")
            .replace("User=hdfs", "User=root"));
    Process verify =
        new ProcessBuilder(SYSTEMD.toString(), "verify", unit.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(verify.getInputStream().readAllBytes(), UTF_8);

    assertThat(verify.waitFor()).as(said).isZero();
    assertThat(said.lines().filter(line -> line.contains("raidnode.service"))).isEmpty();
  }
}
