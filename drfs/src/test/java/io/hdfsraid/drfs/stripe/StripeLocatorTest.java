// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StripeLocatorTest {
  private static final int BLOCK = 1_000;

  private final InMemoryCluster cluster = new InMemoryCluster(12, 4, 1);

  /** Five blocks, the last one short: stripes of two and three of k = 3 data units. */
  private RaidedFile raid() throws IOException {
    return RaidedFile.create(
        cluster, "/f", BLOCK, new byte[4 * BLOCK + 10], Codecs.parse("rs-3-2"), 512, Runnable::run);
  }

  @Test
  void aHealthyFileIsLiveAndShortStripesHaveAbsentUnits() throws IOException {
    List<LocatedStripe> stripes = raid().stripes();
    assertThat(stripes).hasSize(2);
    assertThat(states(stripes.get(0)))
        .containsExactly(
            UnitState.LIVE, UnitState.LIVE, UnitState.ABSENT, UnitState.LIVE, UnitState.LIVE);
    assertThat(stripes.get(1).available()).isEqualTo(UnitSet.range(0, 5));
    assertThat(stripes.get(1).unit(2).length()).isEqualTo(10);
    assertThat(stripes.get(1).stripeLength()).isEqualTo(BLOCK);
    assertThat(stripes.get(1).index()).isEqualTo(1);
  }

  @Test
  void unitsWithoutLiveReplicaAreLostDataAndParityAlike() throws IOException {
    RaidedFile file = raid();
    cluster.kill(cluster.node(1));
    long rotten = file.stripes().get(0).unit(4).located().orElseThrow().block().id();
    cluster.report(rotten, cluster.node(4));
    assertThat(file.stripes().get(0).lost()).isEqualTo(UnitSet.of(1, 4));
    assertThat(file.stripes().get(1).lost()).isEqualTo(UnitSet.of(1));
  }

  @Test
  void aRenameChangesNothing() throws IOException {
    RaidedFile file = raid();
    cluster.rename("/f", "/elsewhere");
    assertThat(file.stripes())
        .allSatisfy(stripe -> assertThat(stripe.changed().isEmpty()).isTrue());
  }

  @Test
  void appendedBytesChangeOnlyTheBlockTheyWentInto() throws IOException {
    RaidedFile file = raid();
    cluster.append("/f", new byte[5]);
    assertThat(file.stripes().get(0).changed()).isEqualTo(UnitSet.none());
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(2));
  }

  @Test
  void aBlockThatWasCutAndBlocksThatAreGoneAreChanged() throws IOException {
    RaidedFile file = raid();
    cluster.truncate("/f", 3 * BLOCK - 1);
    assertThat(file.stripes().get(0).changed()).isEqualTo(UnitSet.none());
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(0, 1, 2));
  }

  @Test
  void theSameIdAndLengthUnderANewGenerationStampIsChanged() throws IOException {
    RaidedFile file = raid();
    cluster.truncate("/f", 4 * BLOCK);
    cluster.append("/f", new byte[10]);
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(2));
  }

  @Test
  void withoutTheMemberAllDataIsChangedAndParityIsNot() throws IOException {
    RaidedFile file = raid();
    cluster.delete("/f");
    assertThat(file.stripes().get(0).changed()).isEqualTo(UnitSet.of(0, 1));
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(0, 1, 2));
  }

  @Test
  void blocksThatNowBelongToAnotherFileAreChanged() throws IOException {
    RaidedFile file = raid();
    cluster.createFile("/target", BLOCK, new byte[BLOCK], 1);
    cluster.concat("/target", "/f");
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(0, 1, 2));
  }

  @Test
  void theLastBlockOfAFileThatIsOpenIsNotTrusted() throws IOException {
    RaidedFile file = raid();
    cluster.setUnderConstruction("/f", true);
    assertThat(file.stripes().get(0).changed()).isEqualTo(UnitSet.none());
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(2));
  }

  @Test
  void parityThatIsCutOffOrOfAnotherLengthIsChanged() throws IOException {
    RaidedFile file = raid();
    String path = file.parity().file().path();
    cluster.truncate(path, 3 * BLOCK - 1);
    assertThat(file.stripes().get(0).changed()).isEqualTo(UnitSet.none());
    assertThat(file.stripes().get(1).changed()).isEqualTo(UnitSet.of(3, 4));
    assertThat(file.stripes().get(1).unit(4).located()).isEmpty();
  }

  @Test
  void aManifestThatDoesNotFitItsCodecIsRefused() throws IOException {
    ParityFile parity = raid().parity();
    StripeLocator other = new StripeLocator(name -> Codecs.parse("rs-6-3"));
    assertThatThrownBy(() -> other.locate(parity, Map.<Long, LocatedFile>of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not fit its codec rs-6-3");
  }

  private static List<UnitState> states(LocatedStripe stripe) {
    return stripe.units().stream().map(StripeUnit::state).toList();
  }
}
