// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The README shows what stands between the two marks here, and it does what the README says. */
class ReadmeExampleTest {
  @Test
  void itRebuildsALostUnitFromAQuarterOfMostOthers() {
    // README: from here
    ErasureCodec codec = Codecs.parse("less-10-4"); // 10 data units, 4 parity units, α = 4
    int rowBytes = codec.layout().rowBytes(); // one row: 4 chunks of 1 MiB of each unit

    ByteBuffer[] units = new ByteBuffer[codec.shape().units()];
    Arrays.setAll(units, unit -> ByteBuffer.allocateDirect(rowBytes));
    fill(Arrays.copyOf(units, 10)); // data; beyond the end of a unit are zeros
    codec.encode(Arrays.copyOf(units, 10), Arrays.copyOfRange(units, 10, 14));

    // Unit 3 is lost. What would it cost to rebuild it? Nothing has been read yet.
    UnitSet lost = UnitSet.of(3);
    UnitSet available = UnitSet.all(codec.shape()).minus(lost);
    RebuildRecipe recipe = codec.recipe(lost, available, ReadCost.UNIFORM).orElseThrow();
    assertThat(recipe.reads()).hasSize(19); // chunks of 1 MiB; Reed-Solomon would read 40
    assertThat(codec.furtherLosses(lost)).isEqualTo(3);

    ByteBuffer[] inputs =
        recipe.reads().stream()
            .map(chunk -> units[chunk.unit()].slice(chunk.subUnit() << 20, 1 << 20))
            .toArray(ByteBuffer[]::new);
    ByteBuffer[] rebuilt = new ByteBuffer[4]; // the 4 chunks of unit 3
    Arrays.setAll(rebuilt, chunk -> ByteBuffer.allocateDirect(1 << 20));
    recipe.rebuild(inputs, rebuilt);
    assertThat(rebuilt[2]).isEqualTo(units[3].slice(2 << 20, 1 << 20));

    // A wrong bit somewhere: which unit is it?
    units[7].put(12_345, (byte) ~units[7].get(12_345));
    assertThat(codec.verify(units).suspects()).isEqualTo(UnitSet.of(7));
    // README: to here
  }

  @Test
  void theReadmeShowsExactlyThat() throws IOException {
    String source =
        Files.readString(
            Path.of("src/test/java/io/hdfsraid/erasurecode/codes/ReadmeExampleTest.java"));
    String example =
        source.substring(source.indexOf("from here\n") + "from here\n".length())
            .split(" *// README: to here", 2)[0];
    assertThat(Files.readString(Path.of("README.md")))
        .contains("```java\n" + example.stripTrailing().stripIndent() + "\n```\n");
  }

  private static void fill(ByteBuffer[] data) {
    Random random = new Random(10);
    for (ByteBuffer unit : data) {
      byte[] bytes = new byte[unit.remaining()];
      random.nextBytes(bytes);
      unit.put(0, bytes);
    }
  }
}
