// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CurveTest {
  private static final long MIB = 1L << 20;
  private static final long BLOCK = 128 * MIB;
  private static final Offset<Double> EXACT = within(1e-6);
  private static final Path DOCS = Path.of("../docs");

  private static CurvePoint of(long size) {
    return CurvePoint.of(size, "rs-10-4", BLOCK);
  }

  @Test
  void aFileOfOneBlockGainsNothingAloneAndAsMuchAsALargeOneInAGroup() {
    CurvePoint block = of(BLOCK);
    assertThat(block.alone()).isEqualTo(3);
    assertThat(block.group()).isEqualTo(1.4, EXACT);
    assertThat(of(BLOCK / 20).group()).isEqualTo(1.4, EXACT);
    assertThat(of(10 * BLOCK).alone()).isEqualTo(1.4, EXACT);
    assertThat(of(5 * BLOCK).alone()).as("5 blocks, 4 of parity").isEqualTo(1.8, EXACT);
    assertThat(of(11 * BLOCK).group())
        .as("from a full stripe on")
        .isEqualTo(of(11 * BLOCK).alone());
  }

  @Test
  void hdfsOwnCodingMultipliesWhatIsSmallerThanACell() {
    assertThat(of(64 << 10).native1024k()).isEqualTo(5, EXACT);
    assertThat(of(64 << 10).native64k()).isEqualTo(5, EXACT);
    assertThat(of(640 << 10).native64k()).isEqualTo(1.4, EXACT);
    assertThat(of(11 * MIB).native1024k()).isEqualTo((11 + 8) / 11.0, EXACT);
  }

  @Test
  void objectsAreInodesAndBlocksOfFilesAndOfTheirParity() {
    CurvePoint block = of(BLOCK);
    double files = 1e15 / BLOCK;
    assertThat(block.objectsCopies()).isEqualTo(Math.round(2 * files));
    assertThat(block.objectsAlone()).as("not raided").isEqualTo(Math.round(2 * files));
    // 80 files: 8 stripes with 4 units of parity each, in one file.
    assertThat(block.objectsGroup()).isEqualTo(Math.round((2 + 33.0 / 80) * files));
    CurvePoint large = of(10 * BLOCK);
    assertThat(large.objectsNative()).isEqualTo(Math.round(files / 10 * 2));
    assertThat(large.objectsAlone()).isEqualTo(Math.round(files / 10 * (1 + 10 + 1 + 4)));
  }

  @Test
  void thePictureAndTheTableOfTheDocumentAreTheGeneratedOnes() throws IOException {
    List<CurvePoint> points = CurvePoint.curve("rs-10-4", BLOCK);
    assertThat(DOCS.resolve("small-files.svg"))
        .as("bin/raidshell plan --curve --svg docs/small-files.svg")
        .hasContent(CurveCommand.picture(points, "rs-10-4", 128));
    assertThat(Files.readString(DOCS.resolve("small-files.md")))
        .as("bin/raidshell plan --curve --markdown")
        .contains("(small-files.svg)")
        .contains(new CurveTable(points).markdown());
  }
}
