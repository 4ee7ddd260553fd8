// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.ParityPhase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestXAttrsTest {
  private static final int PIECE = 31 * 15_979;
  private static final int LARGEST = 64 * PIECE - 2;

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 15_978, 15_979, 15_980, 160_000, PIECE, PIECE + 1, 3 * PIECE - 2})
  void whatIsSplitIsJoinedAgain(int length) throws Exception {
    byte[] bytes = RealHdfs.bytes(length, length);
    bytes[0] = 1; // the version of a manifest

    List<Map<String, byte[]>> pieces = ManifestXAttrs.split(bytes);

    assertThat(ManifestXAttrs.join(pieces)).isEqualTo(bytes);
    assertThat(ManifestXAttrs.furtherPieces(pieces.get(0))).isEqualTo(pieces.size() - 1);
    for (Map<String, byte[]> attributes : pieces) {
      assertThat(attributes).hasSizeLessThanOrEqualTo(31);
      attributes.forEach(
          (name, value) -> assertThat(name.length() + value.length).isLessThanOrEqualTo(16_000));
    }
  }

  @Test
  void noMorePiecesThanNeededAreMade() throws Exception {
    assertThat(ManifestXAttrs.split(new byte[PIECE])).hasSize(1);
    assertThat(ManifestXAttrs.split(new byte[PIECE + 1])).hasSize(2);
    assertThat(ManifestXAttrs.split(new byte[2 * PIECE - 2])).hasSize(2);
    assertThat(ManifestXAttrs.split(new byte[2 * PIECE - 1])).hasSize(3);
    assertThat(ManifestXAttrs.split(new byte[LARGEST])).hasSize(64);
  }

  @Test
  void aManifestThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> ManifestXAttrs.split(new byte[LARGEST + 1]))
        .isInstanceOf(ManifestTooLargeException.class)
        .hasMessageContaining(String.valueOf(LARGEST));
  }

  @ParameterizedTest
  @EnumSource
  void aPhaseIsReadBack(ParityPhase phase) throws Exception {
    Map<String, byte[]> attributes = Map.of("user.raid.phase", ManifestXAttrs.encode(phase));
    assertThat(ManifestXAttrs.phase(attributes)).isEqualTo(phase);
  }

  @Test
  void abandonedBlocksAreReadBackWithThePhaseAndOnlyThere() throws Exception {
    AbandonedBlocks blocks =
        new AbandonedBlocks(Set.of(16_387L, 16_386L), Instant.parse("2029-01-01T00:00:00Z"));
    Map<String, byte[]> attributes = Map.of("user.raid.phase", ManifestXAttrs.encode(blocks));
    assertThat(attributes.get("user.raid.phase"))
        .asString()
        .isEqualTo("retiring 2029-01-01T00:00:00Z 16386,16387");
    assertThat(ManifestXAttrs.phase(attributes)).isEqualTo(ParityPhase.UNRAIDING);
    assertThat(ManifestXAttrs.abandoned(attributes)).isEqualTo(blocks);
    assertThat(ManifestXAttrs.abandoned(Map.of())).isEqualTo(AbandonedBlocks.NONE);
    assertThat(
            ManifestXAttrs.abandoned(
                Map.of("user.raid.phase", ManifestXAttrs.encode(ParityPhase.UNRAIDING))))
        .isEqualTo(AbandonedBlocks.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"retiring 1,2", "retiring 2029-01-01T00:00:00Z 1,,2", "retiring yesterday 1,2"})
  void whatNobodyWroteIsNoListOfAbandonedBlocks(String value) {
    assertThatThrownBy(
            () -> ManifestXAttrs.abandoned(Map.of("user.raid.phase", value.getBytes(US_ASCII))))
        .isInstanceOf(ManifestFormatException.class);
  }

  @Test
  void asManyAbandonedBlocksAsThereMayBeFitIntoOneAttribute() {
    Set<Long> ids =
        LongStream.rangeClosed(1, AbandonedBlocks.MOST)
            .mapToObj(i -> 99_999_999_999_999L - i)
            .collect(Collectors.toSet());
    assertThat(ManifestXAttrs.encode(new AbandonedBlocks(ids, Instant.now())))
        .hasSizeLessThan(ManifestXAttrs.ATTRIBUTE_BYTES - "user.raid.phase".length());
  }

  @Test
  void noPhaseMeansCommittedAndAnUnknownOneIsAnError() throws Exception {
    assertThat(ManifestXAttrs.phase(Map.of())).isEqualTo(ParityPhase.COMMITTED);
    assertThatThrownBy(() -> ManifestXAttrs.phase(Map.of("user.raid.phase", new byte[] {'x'})))
        .isInstanceOf(ManifestFormatException.class);
  }
}
