// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before a byte is written. */
class BuffersTest {
  private static final ErasureCodec CODEC = Codecs.parse("rs-3-2");
  private static final int LENGTH = 100;

  /** Every way in which two ranges of one buffer touch, from before to behind. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOutputThatSharesAByteWithAnInputIsRefusedAndNothingOverwritten(boolean direct) {
    IntFunction<ByteBuffer> allocate = allocator(direct);
    for (int shift = -LENGTH - 1; shift <= LENGTH + 1; shift++) {
      ByteBuffer whole = random(allocate.apply(3 * LENGTH + 2));
      ByteBuffer before = copy(whole);
      ByteBuffer[] data = {
        random(allocate.apply(LENGTH)),
        whole.slice(LENGTH + 1, LENGTH),
        random(allocate.apply(LENGTH))
      };
      ByteBuffer[] parity = {
        allocate.apply(LENGTH),
        whole.duplicate().position(LENGTH + 1 + shift).limit(2 * LENGTH + 1 + shift)
      };
      if (Math.abs(shift) < LENGTH) {
        assertThatThrownBy(() -> CODEC.encode(data, parity))
            .as("shift %d", shift)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("Output 1 shares memory with input 1, and would overwrite it");
        assertThat(whole).as("shift %d", shift).isEqualTo(before);
      } else {
        CODEC.encode(data, parity);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoOutputsInOnePlaceAreRefused(boolean direct) {
    IntFunction<ByteBuffer> allocate = allocator(direct);
    ByteBuffer[] data = new ByteBuffer[3];
    Arrays.setAll(data, i -> allocate.apply(LENGTH));
    ByteBuffer parity = allocate.apply(LENGTH);
    assertThatThrownBy(() -> CODEC.encode(data, new ByteBuffer[] {parity, parity.duplicate()}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Output 1 shares memory with output 0, and would overwrite it");
  }

  @Test
  void aRecipeRefusesItToo() {
    RebuildRecipe recipe =
        CODEC.recipe(UnitSet.of(0), UnitSet.range(1, 5), ReadCost.UNIFORM).orElseThrow();
    ByteBuffer[] inputs = new ByteBuffer[3];
    Arrays.setAll(inputs, i -> ByteBuffer.allocate(LENGTH));
    assertThatThrownBy(() -> recipe.rebuild(inputs, new ByteBuffer[] {inputs[2]}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Output 0 shares memory with input 2, and would overwrite it");
  }

  /** Views of a file without content: they take no memory. */
  @Test
  void overlapsOfHundredsOfMebibytesAreSeen(@TempDir Path directory) throws IOException {
    int length = 900 << 20;
    Path file = directory.resolve("sparse");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      ByteBuffer whole = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * (long) length - 1);
      for (int shift : new int[] {0, 1, 400 << 20, 511 << 20, 513 << 20, 700 << 20, length - 1}) {
        ByteBuffer[] first = {whole.slice(0, length)};
        ByteBuffer[] second = {whole.slice(shift, length)};
        for (List<ByteBuffer[]> order : List.of(List.of(first, second), List.of(second, first))) {
          assertThatThrownBy(() -> Buffers.check(order.get(0), order.get(1)))
              .as("shift %d", shift)
              .hasMessage("Output 0 shares memory with input 0, and would overwrite it");
        }
      }
      Buffers.check(
          new ByteBuffer[] {whole.slice(0, length - 1)},
          new ByteBuffer[] {whole.slice(length, length - 1)});
    }
  }

  @Test
  void buffersThatAreMissingOrCannotBeWrittenAreRefusedBeforeAByteIsWritten() {
    ByteBuffer[] data = new ByteBuffer[3];
    Arrays.setAll(data, i -> random(ByteBuffer.allocate(LENGTH)));
    ByteBuffer first = ByteBuffer.allocate(LENGTH);
    ByteBuffer readOnly = ByteBuffer.allocate(LENGTH).asReadOnlyBuffer();
    assertThatThrownBy(() -> CODEC.encode(data, new ByteBuffer[] {first, readOnly}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Output 1 is read-only");
    assertThatThrownBy(() -> CODEC.encode(data, new ByteBuffer[] {first, null}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Output 1 is null; a unit that does not exist is a buffer of zeros");
    data[2] = null;
    assertThatThrownBy(() -> CODEC.encode(data, new ByteBuffer[] {first, first}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Input 2 is null; a unit that does not exist is a buffer of zeros");
    assertThat(first).isEqualTo(ByteBuffer.allocate(LENGTH));
  }

  @Test
  void theSameInputTwiceIsNoProblem() {
    ByteBuffer zeros = ByteBuffer.allocateDirect(LENGTH);
    ByteBuffer data = random(ByteBuffer.allocateDirect(LENGTH));
    ByteBuffer[] parity = {ByteBuffer.allocate(LENGTH), ByteBuffer.allocateDirect(LENGTH)};
    CODEC.encode(new ByteBuffer[] {data, zeros, zeros.duplicate()}, parity);
    assertThat(parity[0]).isNotEqualTo(zeros);
  }

  /** Direct buffers next to each other in memory, and empty ones in one place. */
  @Test
  void neighboursAndEmptyBuffersDoNotOverlap() {
    ByteBuffer whole = random(ByteBuffer.allocateDirect(5 * LENGTH));
    ByteBuffer[] units = new ByteBuffer[5];
    Arrays.setAll(units, i -> whole.slice(i * LENGTH, LENGTH));
    CODEC.encode(Arrays.copyOf(units, 3), Arrays.copyOfRange(units, 3, 5));
    ByteBuffer empty = ByteBuffer.allocate(0);
    CODEC.encode(new ByteBuffer[] {empty, empty, empty}, new ByteBuffer[] {empty, empty});
  }

  private static IntFunction<ByteBuffer> allocator(boolean direct) {
    return direct ? ByteBuffer::allocateDirect : ByteBuffer::allocate;
  }

  private static ByteBuffer random(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    new Random(bytes.length).nextBytes(bytes);
    return buffer.put(0, bytes);
  }

  private static ByteBuffer copy(ByteBuffer buffer) {
    return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
  }
}
