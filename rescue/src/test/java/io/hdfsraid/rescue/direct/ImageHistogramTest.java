// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileHistogram.Amount;
import io.hdfsraid.raidapi.files.FileHistogram.Cell;
import io.hdfsraid.raidshell.RaidShell;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.recency.fsimage.FsImageWriter;
import io.hdfsraid.recency.fsimage.ImageDigest;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageHistogramTest {
  private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path image;

  private int shell(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return RaidShell.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @BeforeEach
  void write() throws IOException {
    image = folder.resolve("fsimage_0000000000000000042");
    try (FsImageWriter writer = new FsImageWriter(image, 42)) {
      long root = Inode.ROOT;
      writer.inode(new Inode.Directory(root, "", "hdfs", "supergroup", 0, Snapshots.FORBIDDEN));
      writer.inode(file(root + 1, "young", 100, Duration.ofHours(1)));
      writer.inode(file(root + 2, "cold", 2_000_000, Duration.ofDays(90)));
      writer.inode(file(root + 3, "colder", 3_000_000, Duration.ofDays(100)));
      writer.inode(new Inode.Symlink(root + 4, "link"));
      writer.inode(
          file(root + 5, "parity", 7, Duration.ZERO),
          Map.of("user.raid.manifest.0", new byte[] {1}, "user.raid.phase", new byte[] {2}));
      for (int i = 1; i <= 5; i++) {
        writer.place(root + i, root);
      }
      writer.finish();
    }
    Files.setLastModifiedTime(image, FileTime.from(WRITTEN));
  }

  private static Inode.File file(long id, String name, long length, Duration age) {
    long changed = WRITTEN.minus(age).toEpochMilli();
    return new Inode.File(
        id,
        name,
        new FileAttributes(length, 128 << 20, 1, 3, changed, changed, "etl", "users", 0, Set.of()));
  }

  @Test
  void anImageAloneTellsHowOldAndHowLargeFilesAreWithoutParity() throws IOException {
    assertThat(shell("histogram", "--json", "--fsimage", image.toString())).as("%s", err).isZero();

    FileHistogram read = ApiJson.mapper().readValue(out.toString(), FileHistogram.class);
    assertThat(read.at()).isEqualTo(WRITTEN);
    assertThat(read.total()).isEqualTo(new Amount(3, 5_000_100, 15_000_300));
    assertThat(read.cells())
        .containsExactly(
            new Cell("<1d", "<1MiB", 3, new Amount(1, 100, 300)),
            new Cell("90-180d", "1-16MiB", 3, new Amount(2, 5_000_000, 15_000_000)));
    assertThat(err.toString()).contains("Inodes of fsimage_0000000000000000042: 6 in ");
  }

  @Test
  void ofAnImageWithoutItsSumItIsSaidThatNothingVouchesForIt() throws IOException {
    assertThat(shell("histogram", "--fsimage", image.toString())).isZero();
    assertThat(err.toString()).contains("there is no fsimage_0000000000000000042.md5 beside it");

    ImageDigest.of(image).writeBeside(image);
    err.getBuffer().setLength(0);
    assertThat(shell("histogram", "--fsimage", image.toString())).isZero();
    assertThat(err.toString()).doesNotContain("vouches");
  }

  @Test
  void peopleSeeTheTableAndThatNoReadsAreRecorded() {
    assertThat(shell("histogram", "--fsimage", image.toString())).isZero();

    assertThat(out.toString())
        .contains("3 files below /, used so long before 2026-01-01T00:00:00Z:")
        .contains("90-180d    2      4.8 MiB  14.3 MiB  4.8 MiB    14.3 MiB")
        .contains("dfs.namenode.accesstime.precision is 0");
  }

  @Test
  void ofADamagedImageNothingIsToldButWhereItIsDamaged() throws IOException {
    byte[] whole = Files.readAllBytes(image);
    Files.write(image, Arrays.copyOf(whole, whole.length / 2));

    assertThat(shell("histogram", "--fsimage", image.toString())).isEqualTo(ExitCode.IO.number());
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .startsWith("raidshell: " + image + " ")
        .doesNotContain("Exception")
        .hasLineCount(1);
  }

  @Test
  void anImageThatIsNotThereIsSaidToBeAbsent() {
    assertThat(shell("histogram", "--fsimage", folder.resolve("none").toString()))
        .isEqualTo(ExitCode.IO.number());
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("There is no image " + folder.resolve("none"));
  }

  @Test
  void aDirectoryInPlaceOfAnImageIsSaidToBeOne() {
    assertThat(shell("histogram", "--fsimage", folder.toString())).isEqualTo(ExitCode.IO.number());
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .startsWith("raidshell: " + folder + " is a directory, not an image")
        .hasLineCount(1);
  }

  @Test
  void theCurveIsPartOfThePlanAndNeedsNoRaidNode() {
    assertThat(shell("plan", "--curve", "--codec", "rs-6-3")).as("%s", err).isZero();
    String first = out.toString();
    assertThat(first).isNotEmpty();
    assertThat(shell("plan", "curve", "--codec", "rs-6-3")).isZero();
    assertThat(out.toString()).isEqualTo(first);
  }
}
