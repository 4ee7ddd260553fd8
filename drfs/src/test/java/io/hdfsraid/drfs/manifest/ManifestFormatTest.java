// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.erasurecode.RowLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestFormatTest {
  private static final long MIB = 1 << 20;

  /**
   * Two stripes of a file of four blocks, the last of which is short; one block was appended to.
   */
  private static final Manifest GOLDEN =
      new Manifest(
          "CID-7",
          "BP-1-10.0.0.1-2",
          "rs-3-2",
          new RowLayout(1, RowLayout.DEFAULT_CHUNK),
          3,
          1,
          2,
          List.of(new Member(16_387, 3 * 128 * MIB + 1)),
          List.of(
              new Stripe(
                  List.of(
                      new DataUnit(0, new Block(1_073_741_825, 1_001, 128 * MIB), 0x01020304),
                      new DataUnit(0, new Block(1_073_741_826, 1_002, 128 * MIB), 0xfffefdfc)),
                  List.of(1, -1)),
              new Stripe(
                  List.of(
                      new DataUnit(0, new Block(1_073_741_827, 1_009, 128 * MIB), 0),
                      new DataUnit(0, new Block(-5, 1_004, 1), 0x7fffffff)),
                  List.of(0x80000000, 0x55555555))));

  private static final String GOLDEN_BYTES =
      "0100000079054349442d370f42502d312d31302e302e302e312d320672732d332d32018080400301"
          + "0201868002828080800302020201008080808008d00f808080800101020304fffefdfc00000001ff"
          + "ffffff02020300000c00000000000091808080080bfdffff7f7fffffff8000000055555555595894"
          + "fb";

  @Test
  void theBytesOfVersion1NeverChange() throws ManifestFormatException {
    assertThat(HexFormat.of().formatHex(ManifestFormat.encode(GOLDEN))).isEqualTo(GOLDEN_BYTES);
    assertThat(ManifestFormat.decode(HexFormat.of().parseHex(GOLDEN_BYTES))).isEqualTo(GOLDEN);
  }

  @Test
  void whatIsWrittenIsReadBack() throws ManifestFormatException {
    Random random = new Random(42);
    for (int i = 0; i < 2_000; i++) {
      Manifest manifest = random(random);
      assertThat(ManifestFormat.decode(ManifestFormat.encode(manifest)))
          .as("manifest %d", i)
          .isEqualTo(manifest);
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 2", "6, 3", "10, 4", "10, 6", "12, 4"})
  void aUniformFileTakesAtMostEightBytesForEachBlock(int k, int m) {
    int blocks = 1_000;
    List<Stripe> stripes = new ArrayList<>();
    Random crcs = new Random(1);
    for (int from = 0; from < blocks; from += k) {
      List<DataUnit> data = new ArrayList<>();
      for (int i = from; i < Math.min(blocks, from + k); i++) {
        data.add(
            new DataUnit(
                0,
                new Block(1_073_741_825L + i, 1_001 + i, i == blocks - 1 ? 17 : 128 * MIB),
                crcs.nextInt()));
      }
      stripes.add(new Stripe(data, crcs.ints(m).boxed().toList()));
    }
    Manifest manifest =
        new Manifest(
            "CID-" + "0".repeat(36),
            "BP-" + "0".repeat(40),
            "rs-%d-%d".formatted(k, m),
            new RowLayout(1, RowLayout.DEFAULT_CHUNK),
            3,
            1,
            1,
            List.of(new Member(16_387, blocks * (128 * MIB))),
            stripes);
    assertThat(ManifestFormat.encode(manifest)).hasSizeLessThanOrEqualTo(8 * blocks);
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] good = ManifestFormat.encode(GOLDEN);
    for (int bit = 0; bit < good.length * Byte.SIZE; bit++) {
      byte[] bad = good.clone();
      bad[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertThatThrownBy(() -> ManifestFormat.decode(bad))
          .as("bit %d", bit)
          .isInstanceOf(ManifestFormatException.class);
    }
  }

  @Test
  void everyTruncationIsFoundAndSaid() {
    byte[] good = ManifestFormat.encode(GOLDEN);
    for (int length = 1; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> ManifestFormat.decode(cut))
          .isInstanceOf(ManifestFormatException.class)
          .hasMessageStartingWith("The manifest is cut off: it has ");
    }
    assertThatThrownBy(() -> ManifestFormat.decode(new byte[0]))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessage("A manifest has no bytes at all");
  }

  @Test
  void moreBytesThanThereShouldBeAreRefused() {
    byte[] good = ManifestFormat.encode(GOLDEN);
    assertThatThrownBy(() -> ManifestFormat.decode(Arrays.copyOf(good, good.length + 3)))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessage(
            "The manifest has %d bytes, but should end after %d"
                .formatted(good.length + 3, good.length));
  }

  @Test
  void bytesOfANewerVersionAreRefusedWithAdvice() {
    byte[] newer = ManifestFormat.encode(GOLDEN);
    newer[0] = 2;
    assertThatThrownBy(() -> ManifestFormat.decode(newer))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessage(
            "The manifest has format 2, but this version knows none above 1: it was written by a newer version; upgrade");
  }

  /** Whatever is in a manifest whose checksum is right, the answer is a manifest or a refusal. */
  @Test
  void hostileBytesAreRefusedAndNothingElse() {
    Random random = new Random(7);
    byte[] good = ManifestFormat.encode(GOLDEN);
    int accepted = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] bad = good.clone();
      int from = 5 + random.nextInt(bad.length - 9);
      int to = Math.min(bad.length - 4, from + 1 + random.nextInt(10));
      for (int at = from; at < to; at++) {
        bad[at] = (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt());
      }
      seal(bad);
      try {
        Manifest manifest = ManifestFormat.decode(bad);
        // There is one encoding of each manifest.
        assertThat(ManifestFormat.encode(manifest)).isEqualTo(bad);
        accepted++;
      } catch (ManifestFormatException e) {
        assertThat(e).hasMessageContaining("manifest");
      }
    }
    assertThat(accepted).isPositive();
  }

  @Test
  void aHostileCountIsRefusedBeforeMemoryIsTaken() {
    // Two billion stripes: the varint ff ff ff ff 07 where the number of stripes stands.
    ManifestOutput out = new ManifestOutput();
    out.writeByte(ManifestFormat.VERSION);
    out.writeInt(0);
    out.writeText("c");
    out.writeText("b");
    out.writeText("rs-3-2");
    for (int number : new int[] {1, 1024, 3, 1, 1, 0}) {
      out.writeNumber(number);
    }
    out.writeNumber(Integer.MAX_VALUE);
    assertThatThrownBy(() -> ManifestFormat.decode(out.finish(ManifestFormat.LENGTH_AT)))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessageContaining("announces 2147483647 stripes");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 16_000})
  void splitPiecesFitAndGiveTheManifestBack(int limit) throws ManifestFormatException {
    byte[] whole = ManifestFormat.encode(GOLDEN);
    List<byte[]> pieces = ManifestFormat.split(whole, limit);
    assertThat(pieces).allSatisfy(piece -> assertThat(piece.length).isBetween(1, limit));
    assertThat(pieces).hasSize((whole.length + limit - 1) / limit);
    assertThat(ManifestFormat.decode(ManifestFormat.join(pieces))).isEqualTo(GOLDEN);
  }

  @Test
  void aMissingOrMisplacedPieceIsFound() {
    List<byte[]> pieces = new ArrayList<>(ManifestFormat.split(ManifestFormat.encode(GOLDEN), 20));
    Collections.swap(pieces, 1, 2);
    assertThatThrownBy(() -> ManifestFormat.decode(ManifestFormat.join(pieces)))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessageContaining("damaged");
    pieces.remove(1);
    assertThatThrownBy(() -> ManifestFormat.decode(ManifestFormat.join(pieces)))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessageContaining("cut off");
  }

  private static void seal(byte[] bytes) {
    int end = bytes.length - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    ByteBuffer.wrap(bytes).putInt(end, (int) crc.getValue());
  }

  private static Manifest random(Random random) {
    int members = 1 + random.nextInt(5);
    List<Member> memberList = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      memberList.add(new Member(random.nextLong(), random.nextLong()));
    }
    List<Stripe> stripes = new ArrayList<>();
    for (int s = random.nextInt(5); s > 0; s--) {
      List<DataUnit> data = new ArrayList<>();
      for (int u = 1 + random.nextInt(20); u > 0; u--) {
        Block last = data.isEmpty() ? new Block(0, 0, 0) : data.get(data.size() - 1).block();
        data.add(
            new DataUnit(
                random.nextInt(members),
                random.nextBoolean()
                    ? new Block(last.id() + 1, last.generationStamp() + 1, last.length())
                    : new Block(random.nextLong(), random.nextLong(), random.nextLong() >>> 1),
                random.nextInt()));
      }
      stripes.add(new Stripe(data, random.ints(1 + random.nextInt(6)).boxed().toList()));
    }
    return new Manifest(
        text(random),
        text(random),
        text(random),
        new RowLayout(1 + random.nextInt(4), 1 + random.nextInt(1 << 22)),
        random.nextInt(10),
        random.nextInt(10),
        random.nextInt(Integer.MAX_VALUE),
        memberList,
        stripes);
  }

  private static String text(Random random) {
    byte[] ascii = new byte[random.nextInt(50)];
    for (int i = 0; i < ascii.length; i++) {
      ascii[i] = (byte) (' ' + random.nextInt(90));
    }
    return new String(ascii, StandardCharsets.UTF_8) + (random.nextBoolean() ? "ü水" : "");
  }
}
