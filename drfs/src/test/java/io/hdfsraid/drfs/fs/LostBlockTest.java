// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostBlockTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final LostBlock.Owner OWNER =
      new LostBlock.Owner(16_400, new Block(1_073_741_825, 1_001, 64 << 10));
  private static final long START = 7L * MIB;

  /** What was asked for, as {@code from..to} in the block. */
  private final List<String> asked = new ArrayList<>();

  private LostBlock block(long length, int row) {
    return new LostBlock(
        OWNER,
        START,
        length,
        new LostBlock.Contents() {
          @Override
          public void read(long offset, ByteBuffer target) {
            asked.add(offset / KIB + ".." + (offset + target.remaining()) / KIB);
            target.position(target.limit());
          }

          @Override
          public int rowBytes() {
            return row;
          }
        });
  }

  @ParameterizedTest(name = "rows of {0} KiB, from {1} KiB on")
  @CsvSource(
      delimiter = '|',
      value = {
        // A row is rebuilt at once, however long.
        "1024 | 0    | 0..1024, 1024..2048, 2048..3072, 3072..4096, 4096..5120, 5120..6000",
        "4096 | 0    | 0..4096, 4096..6000",
        // Who begins in the middle of a row goes on with whole ones.
        "1024 | 500  | 500..1024, 1024..2048, 2048..3072, 3072..4096, 4096..5120, 5120..6000",
        "4096 | 500  | 500..4096, 4096..6000",
        // No reader gains from a window of a few bytes.
        "4096 | 4090 | 4090..6000",
        "1024 | 3070 | 3070..4096, 4096..5120, 5120..6000",
        // Short rows go together.
        "10   | 2000 | 2000..3060, 3060..4080, 4080..5100, 5100..6000",
      })
  void whoReadsOnGetsWholeRows(int row, long from, String windows) throws IOException {
    LostBlock block = block(6000L * KIB, row * KIB);
    for (long at = START + from * KIB; at < block.end(); ) {
      LostBlock.Window window = block.rebuild(at, Integer.MAX_VALUE, MIB);
      assertThat(window.start()).isEqualTo(at);
      at += window.bytes().remaining();
    }
    assertThat(String.join(", ", asked)).isEqualTo(windows);
  }

  @Test
  void aClientWithLittleMemoryGetsPartsOfARow() throws IOException {
    int little = 512 * KIB;
    LostBlock block = block(3000L * KIB, 4 * MIB);
    for (long at = START; at < block.end(); ) {
      at = block.rebuild(at, Integer.MAX_VALUE, little).end();
    }
    assertThat(asked)
        .containsExactly(
            "0..512", "512..1024", "1024..1536", "1536..2048", "2048..2560", "2560..3000");
  }

  @ParameterizedTest(name = "{1} KiB from {0} KiB on")
  @CsvSource({
    "0, 64, 0..64",
    "100, 1000, 100..1100",
    "4000, 200, 4000..4096",
    "4090, 200, 4090..4290",
    "5990, 64, 5990..6000"
  })
  void noMoreThanWantedIsRebuilt(long from, int wanted, String window) throws IOException {
    LostBlock.Window rebuilt =
        block(6000L * KIB, 4 * MIB).rebuild(START + from * KIB, wanted * KIB, MIB);
    assertThat(rebuilt.contains(START + from * KIB)).isTrue();
    assertThat(asked).containsExactly(window);
  }
}
