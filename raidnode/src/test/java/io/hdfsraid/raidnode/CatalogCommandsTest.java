// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.process.PidFile;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of {@code raidnode catalog}. */
class CatalogCommandsTest {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path catalog;
  private Path backup;

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(folder.resolve("raidnode.yml"), "catalog: {directory: catalog}");
    Files.writeString(folder.resolve("policies.yml"), "policies: []");
    catalog = folder.resolve("catalog");
    backup = folder.resolve("backup");
  }

  private int run(String... args) {
    out.reset();
    err.reset();
    return new Commands(
            (settings, metrics, clock, opened) -> {
              throw new AssertionError("something was started");
            },
            folder.resolve("raidnode.yml"),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8))
        .run(args);
  }

  private String said() {
    return out.toString(UTF_8);
  }

  private String complained() {
    return err.toString(UTF_8);
  }

  private void note(String text) {
    try (Catalog open = Catalog.open(catalog, CLOCK)) {
      open.notes().text("test", text);
      open.notes().instant(Notes.LAST_SCAN, Instant.EPOCH);
      open.notes().instant(Notes.LAST_CHECK, Instant.EPOCH);
    }
  }

  private static Optional<String> noteIn(Path where) {
    try (Catalog open = Catalog.open(where, CLOCK)) {
      return open.notes().text("test");
    }
  }

  private List<Path> aside() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().startsWith("catalog.")).toList();
    }
  }

  @Test
  void aCatalogIsCheckedAndCounted() {
    note("old");

    assertThat(run("catalog", "check")).as(complained()).isZero();
    assertThat(said())
        .contains(catalog + " is whole: ", "0  files and directories in the index", "4  meta");
  }

  @Test
  void whatIsRestoredIsWhatWasBackedUpAndTheOtherIsSetAside() throws IOException {
    note("old");
    assertThat(run("catalog", "backup", backup.toString())).as(complained()).isZero();
    assertThat(said()).startsWith(backup + " is a copy of " + catalog + ", and whole");
    note("new");

    assertThat(run("catalog", "restore", backup.toString())).isZero();
    assertThat(said()).contains("It would put", "Say --yes");
    assertThat(noteIn(catalog)).as("a dry run").contains("new");

    assertThat(run("catalog", "restore", "--yes", backup.toString())).as(complained()).isZero();
    assertThat(noteIn(catalog)).contains("old");
    assertThat(aside()).hasSize(1);
    assertThat(noteIn(aside().get(0))).contains("new");
    assertThat(noteIn(backup)).as("can be used again").contains("old");
  }

  /** Files may have been raided since: nothing but a look at all parity tells. */
  @Test
  void aRestoredCatalogIsComparedWithHdfsFirst() {
    note("old");
    run("catalog", "backup", backup.toString());
    assertThat(run("catalog", "restore", "--yes", backup.toString())).isZero();

    try (Catalog restored = Catalog.open(catalog, CLOCK)) {
      assertThat(restored.notes().instant(Notes.LAST_CHECK)).isEmpty();
      assertThat(restored.notes().instant(Notes.LAST_SCAN)).isEmpty();
    }
  }

  @Test
  void aLostCatalogIsRestored() throws IOException {
    note("old");
    run("catalog", "backup", backup.toString());
    run("catalog", "rebuild", "--yes");
    assertThat(catalog).doesNotExist();

    assertThat(run("catalog", "restore", "--yes", backup.toString())).as(complained()).isZero();
    assertThat(noteIn(catalog)).contains("old");
    assertThat(aside()).as("the one of rebuild").hasSize(1);
  }

  @Test
  void rebuildSetsTheCatalogAsideIfItIsTold() throws IOException {
    note("old");
    assertThat(run("catalog", "rebuild")).isZero();
    assertThat(said()).contains("It would set", "Say --yes");
    assertThat(noteIn(catalog)).contains("old");

    assertThat(run("catalog", "rebuild", "--yes")).isZero();
    assertThat(catalog).doesNotExist();
    assertThat(said()).contains(aside().get(0).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "backup other", "restore backup --yes", "rebuild --yes"})
  void nothingIsDoneWhileADaemonHasIt(String command) {
    note("old");
    run("catalog", "backup", backup.toString());
    String[] words =
        Stream.of(("catalog " + command).split(" ", -1))
            .map(
                word ->
                    word.matches("other|backup") && !word.equals(command.split(" ", -1)[0])
                        ? folder.resolve(word).toString()
                        : word)
            .toArray(String[]::new);
    try (Catalog open = Catalog.open(catalog, CLOCK)) {
      assertThat(run(words)).isEqualTo(ExitCode.TROUBLE.number());
      assertThat(complained()).contains("is in use by process", "stop that one first");
      assertThat(open.notes().text("test")).contains("old");
    }
    assertThat(noteIn(catalog)).contains("old");
    assertThat(folder.resolve("other")).doesNotExist();
    assertThat(folder.resolve("catalog.restored")).doesNotExist();
    assertThat(run(words)).as("afterwards: " + complained()).isZero();
  }

  /** Holds the pid file until its standard input ends. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] arguments) throws IOException {
      try (PidFile held = PidFile.take(Path.of(arguments[0]), CLOCK.instant())) {
        System.out.println("It holds " + Path.of(arguments[0]));
        assertThat(held).isNotNull();
        int unused = System.in.read();
      }
    }
  }

  /** It has opened nothing yet: only its pid file tells. */
  @Test
  void nothingIsDoneWhileADaemonWaitsForItsNameNode() throws Exception {
    note("old");
    Process waiting =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName(),
                catalog.toString())
            .start();
    try (BufferedReader said = waiting.inputReader(UTF_8)) {
      assertThat(said.readLine()).isNotEmpty();
      assertThat(run("catalog", "rebuild", "--yes")).isEqualTo(ExitCode.TROUBLE.number());
      assertThat(complained()).contains("is in use by process " + waiting.pid());
    } finally {
      waiting.destroyForcibly().waitFor();
    }
    assertThat(noteIn(catalog)).contains("old");
  }

  @Test
  void aRestoreThatWasCutShortIsRepeated() throws IOException {
    note("old");
    run("catalog", "backup", backup.toString());
    Files.createDirectory(folder.resolve("catalog.restored"));
    Files.createFile(folder.resolve("catalog.restored/half"));

    assertThat(run("catalog", "restore", "--yes", backup.toString())).as(complained()).isZero();
    assertThat(noteIn(catalog)).contains("old");
    assertThat(folder.resolve("catalog.restored")).doesNotExist();
  }

  @Test
  void aLinkStandsForItsFolder() throws IOException {
    note("old");
    Path disk = Files.move(catalog, folder.resolve("disk"));
    Files.createSymbolicLink(catalog, disk);

    assertThat(run("catalog", "backup", backup.toString())).as(complained()).isZero();
    assertThat(run("catalog", "restore", "--yes", backup.toString())).as(complained()).isZero();
    assertThat(catalog).isSymbolicLink();
    assertThat(noteIn(catalog)).contains("old");
  }

  @Test
  void aCatalogThatHasLostAFileIsRebuilt() throws IOException {
    note("old");
    Files.delete(catalog.resolve("CURRENT"));

    assertThat(run("catalog", "check")).isEqualTo(ExitCode.TROUBLE.number());
    assertThat(run("catalog", "rebuild", "--yes")).as(complained()).isZero();
    assertThat(catalog).doesNotExist();
  }

  @Test
  void aDamagedCatalogIsFoundAndNotBackedUp() throws IOException {
    note("a text that is long enough to be found in the file");
    note("another text");
    Path damaged;
    try (Stream<Path> files = Files.list(catalog)) {
      damaged = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[3] ^= 1;
    Files.write(damaged, bytes);

    assertThat(run("catalog", "check")).isEqualTo(ExitCode.TROUBLE.number());
    assertThat(complained()).contains("cannot be read", "it will be rebuilt from HDFS");
    assertThat(run("catalog", "backup", backup.toString())).isEqualTo(ExitCode.TROUBLE.number());
    assertThat(backup).doesNotExist();
    assertThat(folder.resolve("backup.partial")).doesNotExist();
  }

  @Test
  void whatIsNoCatalogIsRefused() throws IOException {
    assertThat(run("catalog", "check")).isEqualTo(ExitCode.TROUBLE.number());
    assertThat(complained()).contains("There is no catalog in " + catalog);
    assertThat(catalog).as("nothing is made").doesNotExist();

    note("old");
    Files.createDirectory(backup);
    assertThat(run("catalog", "backup", backup.toString())).isEqualTo(ExitCode.TROUBLE.number());
    assertThat(complained()).contains("exists: name a folder that does not");
    assertThat(run("catalog", "restore", "--yes", backup.toString()))
        .isEqualTo(ExitCode.TROUBLE.number());
    assertThat(noteIn(catalog)).contains("old");
    assertThat(run("catalog", "backup", catalog.resolve("inside").toString()))
        .isEqualTo(ExitCode.TROUBLE.number());
    assertThat(run("catalog")).isEqualTo(ExitCode.USAGE.number());
  }
}
