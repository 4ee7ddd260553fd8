// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.tests.journeys.Journey;
import java.io.DataInputStream;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * An application reads through losses with nothing on its class path but our one jar and what a
 * release of Hadoop brings, slf4j 1.7 among it.
 */
class ClientClassPathTest {
  private static final long MOST_BYTES = 600 << 10;
  private static final long MINUTES = 2;

  private static final Path HADOOP_35 = Path.of("target/hadoop-clients/3.5.0");

  static final List<Path> OTHER_CLIENTS =
      List.of(
          Path.of("target/hadoop-clients/3.3.6"),
          Path.of("target/hadoop-clients/3.4.2"),
          // Those whose libraries are not hidden in their own jars.
          Path.of("../applications/hadoop-3.3/target/jars"),
          Path.of("../applications/hadoop-3.4/target/jars"),
          Path.of("../applications/hadoop/target/jars"));

  private static final Pattern RESULT = Pattern.compile("[A-Z0-9_]+ [0-9a-f]+");

  /** The version of its classes. */
  private static final int JAVA_17 = 61;

  private static Journey journey;

  /** What the application prints: taken from the file while it is whole. */
  private static final List<String> EXPECTED = new ArrayList<>();

  @TempDir Path folder;

  @BeforeAll
  static void loseBlocks() throws Exception {
    journey = new Journey(9);
    journey.startDaemon((step, subject) -> {});
    byte[] bytes = journey.load("/file", 3 * Journey.BLOCK - 7);
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    for (Application.Way way : Application.Way.values()) {
      EXPECTED.add(way.name() + " " + digest);
    }
    for (String mode : List.of("MD5MD5CRC", "COMPOSITE_CRC")) {
      Configuration conf = new Configuration(journey.hdfs.configuration());
      conf.set("dfs.checksum.combine.mode", mode);
      try (FileSystem fs = FileSystem.newInstance(journey.hdfs.uri(), conf)) {
        FileChecksum checksum = fs.getFileChecksum(new org.apache.hadoop.fs.Path("/file"));
        String line = mode + " " + HexFormat.of().formatHex(checksum.getBytes());
        EXPECTED.add(line); // by FileSystem
        EXPECTED.add(line); // by FileContext
      }
    }
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

  /** As docs/degraded-reads.md says. */
  @Test
  void theClientNeedsJava17() throws Exception {
    try (JarFile jar = new JarFile(ClientClassPath.client().toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            assertThat(in.readInt()).isEqualTo(0xCAFEBABE);
            assertThat(in.readUnsignedShort()).as("the minor version").isZero();
            assertThat(in.readUnsignedShort()).as(entry.getName()).isEqualTo(JAVA_17);
          }
        }
      }
    }
  }

  @Test
  void theClientCallsNothingThatHadoop35DoesNotHave() throws Exception {
    assertLinked(HADOOP_35);
  }

  @ParameterizedTest
  @Tag("full")
  @FieldSource("OTHER_CLIENTS")
  void theClientCallsNothingThatOtherClientsDoNotHave(Path jars) throws Exception {
    assertLinked(jars);
  }

  private static void assertLinked(Path jars) throws Exception {
    Linkage linkage = Linkage.of(ClientClassPath.client(), ClientClassPath.of(jars));
    assertThat(linkage.references()).hasSizeGreaterThan(200);
    assertThat(linkage.missing()).isEmpty();
  }

  @Test
  void aDegradedFileIsReadWithTheClientOfHadoop35() throws Exception {
    assertReads(HADOOP_35);
  }

  @ParameterizedTest
  @Tag("full")
  @FieldSource("OTHER_CLIENTS")
  void aDegradedFileIsReadWithOtherClients(Path jars) throws Exception {
    assertReads(jars);
  }

  private void assertReads(Path jars) throws Exception {
    Path errors = folder.resolve("errors");
    Path output = folder.resolve("output");
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(jars),
                Application.class.getName(),
                journey.hdfs.uri() + "/file")
            .redirectError(errors.toFile())
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(application.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
    } finally {
      application.destroyForcibly();
    }
    List<String> printed =
        Files.readAllLines(output).stream()
            .filter(RESULT.asMatchPredicate()) // some clients log there
            .toList();
    assertThat(application.exitValue()).as(Files.readString(errors)).isZero();
    assertThat(printed).containsExactlyElementsOf(EXPECTED);
  }

  private String classPath(Path jars) throws Exception {
    List<String> entries = ClientClassPath.of(Application.class, folder, jars);
    assertThat(entries).anyMatch(entry -> entry.endsWith("slf4j-api-1.7.36.jar"));
    return String.join(File.pathSeparator, entries);
  }
}
