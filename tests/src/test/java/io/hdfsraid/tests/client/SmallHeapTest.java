// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.tests.journeys.Journey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sixteen threads read one degraded file, which is larger than their heap of 128 MiB. */
@Tag("full")
class SmallHeapTest {
  private static final int READERS = 16;
  private static final int BLOCK = 8 << 20;
  private static final long MINUTES = 8;

  private static Journey journey;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(15);
    journey.startDaemon((step, subject) -> {});
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @ParameterizedTest
  @CsvSource({"rs-6-3, 18", "less-10-4, 20"})
  void manyReadersOfADegradedFileStayWithinTheirHeap(String codec, int blocks) throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/large-" + codec);
    long crc = write(file, blocks);
    for (LocatedStripe stripe : journey.stripes(journey.raid(file.toString(), codec))) {
      journey.delete(stripe, 0);
      journey.delete(stripe, 3);
    }

    Path errors = folder.resolve("errors");
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:MaxDirectMemorySize=64m",
                "-cp",
                System.getProperty("java.class.path"),
                ManyReaders.class.getName(),
                journey.hdfs.uri() + file.toString(),
                String.valueOf(READERS))
            .redirectError(errors.toFile())
            .start();
    String out = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(application.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
    assertThat(application.exitValue()).as(Files.readString(errors)).isZero();
    assertThat(out.lines().filter(line -> line.matches("[0-9]+")))
        .containsExactlyElementsOf(Collections.nCopies(READERS, String.valueOf(crc)));
  }

  private static long write(org.apache.hadoop.fs.Path file, int blocks) throws IOException {
    Random random = new Random(blocks);
    CRC32C crc = new CRC32C();
    byte[] bytes = new byte[BLOCK];
    try (OutputStream out = journey.hdfs.fileSystem().create(file, true, 4096, (short) 2, BLOCK)) {
      for (int i = 0; i < blocks; i++) {
        random.nextBytes(bytes);
        crc.update(bytes);
        out.write(bytes);
      }
    }
    return crc.getValue();
  }
}
