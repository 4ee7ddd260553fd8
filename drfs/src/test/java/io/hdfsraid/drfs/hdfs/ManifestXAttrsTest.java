package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.ParityPhase;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestXAttrsTest {
  private static final int MAX = 31 * 15_979;

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 15_978, 15_979, 15_980, 160_000, MAX})
  void whatIsSplitIsJoinedAgain(int length) throws Exception {
    byte[] bytes = RealHdfs.bytes(length, length);

    Map<String, byte[]> attributes = ManifestXAttrs.split(bytes);

    assertThat(ManifestXAttrs.join(attributes)).isEqualTo(bytes);
    assertThat(attributes).hasSizeLessThanOrEqualTo(31);
    attributes.forEach(
        (name, value) -> assertThat(name.length() + value.length).isLessThanOrEqualTo(16_000));
  }

  @Test
  void aManifestThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> ManifestXAttrs.split(new byte[MAX + 1]))
        .isInstanceOf(ManifestTooLargeException.class)
        .hasMessageContaining(String.valueOf(MAX));
  }

  @ParameterizedTest
  @EnumSource
  void aPhaseIsReadBack(ParityPhase phase) throws Exception {
    Map<String, byte[]> attributes = Map.of("user.raid.phase", ManifestXAttrs.encode(phase));
    assertThat(ManifestXAttrs.phase(attributes)).isEqualTo(phase);
  }

  @Test
  void noPhaseMeansCommittedAndAnUnknownOneIsAnError() throws Exception {
    assertThat(ManifestXAttrs.phase(Map.of())).isEqualTo(ParityPhase.COMMITTED);
    assertThatThrownBy(() -> ManifestXAttrs.phase(Map.of("user.raid.phase", new byte[] {'x'})))
        .isInstanceOf(ManifestFormatException.class);
  }
}
