package io.hdfsraid.tests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.tests.journeys.Journey;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application reads through losses with nothing on its class path but our one jar and what a
 * release of Hadoop brings, slf4j 1.7 among it.
 */
class ClientClassPathTest {
  private static final long MOST_BYTES = 600 << 10;
  private static final long MINUTES = 2;

  private static Journey journey;
  private static byte[] bytes;

  @TempDir Path folder;

  @BeforeAll
  static void loseBlocks() throws IOException {
    journey = new Journey(9);
    journey.startDaemon((step, subject) -> {});
    bytes = journey.load("/file", 3 * Journey.BLOCK - 7);
    LocatedStripe stripe = journey.stripes(journey.raid("/file", "rs-3-2")).get(0);
    journey.delete(stripe, 0);
    journey.delete(stripe, 2);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @Test
  void theClientIsOneSmallJarWithNothingThatCouldClash() throws Exception {
    assertThat(Files.size(ClientClassPath.client())).isLessThanOrEqualTo(MOST_BYTES);
    try (JarFile jar = new JarFile(ClientClassPath.client().toFile())) {
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName))
          .isNotEmpty()
          .allMatch(name -> name.startsWith("io/hdfsraid/") || name.startsWith("META-INF/"));
    }
  }

  @Test
  void aDegradedFileIsReadWithTheClientOfHadoop35() throws Exception {
    assertReads(Path.of("target", "hadoop-clients", "3.5.0"));
  }

  @ParameterizedTest
  @Tag("full")
  @ValueSource(
      strings = {
        "target/hadoop-clients/3.3.6",
        "target/hadoop-clients/3.4.2",
        // Those whose libraries are not hidden in their own jars.
        "../applications/hadoop-3.3/target/jars",
        "../applications/hadoop-3.4/target/jars"
      })
  void aDegradedFileIsReadWithOlderClients(Path jars) throws Exception {
    assertReads(jars);
  }

  private void assertReads(Path jars) throws Exception {
    Path errors = folder.resolve("errors");
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(jars),
                Application.class.getName(),
                journey.hdfs.uri() + "/file")
            .redirectError(errors.toFile())
            .start();
    byte[] read = application.getInputStream().readAllBytes();
    assertThat(application.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();

    assertThat(application.exitValue()).as(Files.readString(errors)).isZero();
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.write(bytes);
    twice.write(bytes);
    assertThat(read).isEqualTo(twice.toByteArray());
  }

  private String classPath(Path jars) throws Exception {
    List<String> entries = ClientClassPath.of(Application.class, folder, jars);
    assertThat(entries).anyMatch(entry -> entry.endsWith("slf4j-api-1.7.36.jar"));
    return String.join(File.pathSeparator, entries);
  }
}
