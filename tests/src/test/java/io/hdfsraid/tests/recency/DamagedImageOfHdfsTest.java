// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.fsimage.DamagedImageException;
import io.hdfsraid.recency.fsimage.Overwrite;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real image, damaged, without the sum that would tell: it ends in an error that says where, or
 * in as many inodes of the same numbers and kinds, of which at most those differ in more than
 * owner, marks and snapshots whose bytes were touched, and whose places are among them. The
 * sections are held one by one against the damage in the tests of the reader itself.
 */
@Tag("full")
class DamagedImageOfHdfsTest {

  @TempDir static Path directory;
  private static byte[] image;
  private static ReadImage whole;

  @BeforeAll
  static void saveAnImage() throws IOException {
    try (LivedInHdfs lived = new LivedInHdfs(Map.of())) {
      Path saved = lived.saveImage();
      image = Files.readAllBytes(saved);
      whole = ReadImage.of(saved);
    }
  }

  @Test
  void itEndsInAnErrorOrDiffersWhereItWasTouched() throws IOException {
    fuzz(300_000);
  }

  private static void fuzz(int runs) throws IOException {
    Path file = directory.resolve("fsimage_1");
    int noticed = 0;
    for (long seed = 0; seed < runs; seed++) {
      Random random = new Random(seed);
      byte[] bytes = damaged(random);
      int touched = touched(bytes);
      Overwrite.of(file, bytes);
      Optional<ReadImage> read = read(file, seed);
      if (read.isEmpty()) {
        noticed++;
      } else {
        compare(read.get(), "seed %d, %d bytes touched".formatted(seed, touched), touched);
      }
    }
    assertThat(noticed).as("of %d runs", runs).isGreaterThan(runs / 2);
  }

  private static byte[] damaged(Random random) {
    int at = random.nextInt(image.length);
    int length = 1 + random.nextInt(Math.min(64, image.length - at));
    byte[] bytes = image.clone();
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes = Arrays.copyOf(image, at);
      case 2 -> Arrays.fill(bytes, at, at + length, (byte) 0);
      case 3 -> {
        Arrays.fill(bytes, at, at + length, (byte) 0xFF);
        bytes[at + length - 1] = 0x7F;
      }
      case 4 -> {
        int from = random.nextInt(image.length - length);
        System.arraycopy(image, from, bytes, at, length);
      }
      default -> ByteBuffer.wrap(bytes).putInt(bytes.length - 4, random.nextInt());
    }
    return bytes;
  }

  /** Of the range in which it differs. */
  private static int touched(byte[] bytes) {
    int from = Arrays.mismatch(image, bytes);
    if (from < 0) {
      return 0;
    }
    int to = Math.min(image.length, bytes.length);
    while (to > from && image[to - 1] == bytes[to - 1]) {
      to--;
    }
    return to - from;
  }

  private static Optional<ReadImage> read(Path file, long seed) {
    try {
      return Optional.of(ReadImage.of(file));
    } catch (DamagedImageException e) {
      assertThat(e).hasMessageContaining(file.toString());
      return Optional.empty();
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static void compare(ReadImage read, String run, int touched) {
    assertThat(read.inodes()).as(run).hasSameSizeAs(whole.inodes());
    assertThat(read.inodes().keySet()).as(run).containsAll(read.places().keySet());
    assertThat(read.inodes().keySet()).as(run).containsAll(read.places().values());
    long different =
        whole.inodes().entrySet().stream()
            .filter(one -> !same(one.getValue(), read.inodes().get(one.getKey())))
            .count();
    // The shortest inode has some 40 bytes: one of two neighbours at each end of the range.
    assertThat(different).as(run).isLessThanOrEqualTo(touched == 0 ? 0 : 2 + touched / 40);
  }

  /** In all but what other sections tell of them. */
  private static boolean same(Inode one, Inode other) {
    if (one instanceof Inode.File file && other instanceof Inode.File again) {
      return file.name().equals(again.name())
          && file.attributes().length() == again.attributes().length()
          && file.attributes().modified() == again.attributes().modified()
          && file.attributes().accessed() == again.attributes().accessed();
    }
    return other != null
        && Objects.equals(one.getClass(), other.getClass())
        && one.name().equals(other.name());
  }
}
