// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {
  @TempDir Path folder;

  /** A process of its own: Java does not let one process ask for its own locks. */
  private String look() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Looking.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said.strip();
  }

  /** Prints the pid of the daemon that runs with the folder of the argument. */
  static final class Looking {
    private Looking() {}

    public static void main(String[] arguments) throws Exception {
      System.out.println(
          PidFile.look(Path.of(arguments[0])).map(PidFile.RunningProcess::pid).orElse(-1L));
    }
  }

  /** By another process: ours would lose its lock with the first file that it closes. */
  private void empty() throws Exception {
    Process process =
        new ProcessBuilder("truncate", "-s", "0", folder.resolve("raidnode.pid").toString())
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void onlyAProcessThatHoldsTheFileRunsAndOnlyOnceItHasSaidWhoItIs() throws Exception {
    assertThat(look()).as("no file").isEqualTo("-1");
    try (PidFile held = PidFile.take(folder, Instant.EPOCH)) {
      held.listens(URI.create("http://localhost:1"), URI.create("http://localhost:2"));
      assertThat(look()).isEqualTo(Long.toString(ProcessHandle.current().pid()));
      empty();
      assertThat(look()).as("taken, and not yet written").isEqualTo("-1");
    }
    assertThat(folder).isEmptyDirectory();
    Files.writeString(folder.resolve("raidnode.pid"), "{\"pid\": 1}");
    assertThat(look()).as("left behind").isEqualTo("-1");
  }
}
