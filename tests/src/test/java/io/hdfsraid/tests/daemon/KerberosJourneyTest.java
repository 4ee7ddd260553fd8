// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** See {@link KerberosJourney}. */
@Tag("full")
class KerberosJourneyTest {
  private static final int MINUTES = 25;

  @Test
  void raidLoseReadRepairAndLetGoWithKerberosThroughTwoTicketsAndAnOutageOfTheKdc(
      @TempDir Path folder) throws Exception {
    Path output = folder.resolve("journey.log");
    Path own = Files.createDirectory(folder.resolve("own"));
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx768m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    own + File.pathSeparator + System.getProperty("java.class.path"),
                    KerberosJourney.class.getName(),
                    own.toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES))
          .as(() -> "It ends in time: " + content(output))
          .isTrue();
      assertThat(process.exitValue()).as(() -> content(output)).isZero();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }
}
