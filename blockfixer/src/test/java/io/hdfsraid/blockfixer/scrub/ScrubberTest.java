// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.blockfixer.detect.BadReplica;
import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found by reading, and what nobody but a reader could have found. */
class ScrubberTest {
  private final RaidedStripe file = raided();
  private final Scrubber scrubber = new Scrubber(file.dataNodes);
  private final List<Replica> reported = new ArrayList<>();

  private static RaidedStripe raided() {
    try {
      return new RaidedStripe("rs-6-3", 13, 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private ScrubResult read() throws IOException {
    return scrubber.read(file.stripe());
  }

  @Test
  void aWholeStripeIsReadOnceAndIsHealthy() throws IOException {
    file.cluster.resetCounts();

    ScrubResult reading = read();

    assertThat(reading.health().state()).isEqualTo(State.HEALTHY);
    assertThat(reading.isComplete()).isTrue();
    assertThat(reading.proven()).isEmpty();
    assertThat(reading.sound()).hasSize(8);
    assertThat(reading.bytes())
        .isEqualTo(file.cluster.bytesRead())
        .isEqualTo(4 * 1000 + 877 + 3000);
    assertThat(file.cluster.openInputs()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 6, 8})
  void rotUnderAWholeChecksumFileIsFoundByReadingOnly(int unit) throws IOException {
    file.cluster.corrupt(file.block(unit).id(), file.replica(unit).node());
    assertThat(file.health().state()).as("by all questions").isEqualTo(State.HEALTHY);

    StripeHealth health = read().health();

    assertThat(health.state()).isEqualTo(State.DEGRADED);
    assertThat(health.lost()).isEqualTo(UnitSet.of(unit));
    assertThat(health.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.fault()).isEqualTo(Fault.ROTTEN);
              assertThat(finding.source()).isEqualTo(DetectionSource.SCRUB);
              assertThat(finding.message())
                  .contains("unit " + unit, file.block(unit).toString(), "byte 0 or later");
            });
    assertThat(health.unreportedBadReplicas()).extracting(BadReplica::unit).containsExactly(unit);
  }

  @Test
  void contentThatFitsItsChecksumsIsNamed() throws IOException {
    file.replaceContent(2);
    file.replaceContent(7);

    StripeHealth health = read().health();

    assertThat(health.lost()).isEqualTo(UnitSet.of(2, 7));
    assertThat(health.findings()).extracting(UnitFinding::fault).containsOnly(Fault.OTHER_CONTENT);
    assertThat(health.findings().get(0).message()).contains("where", "was recorded");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999})
  void aDataFileThatIsCutShortIsRotten(long bytes) throws IOException {
    file.dataNodes.cutShort(file.replica(1), bytes);
    assertThat(file.health().state()).as("by all questions").isEqualTo(State.HEALTHY);

    StripeHealth health = read().health();

    assertThat(health.lost()).isEqualTo(UnitSet.of(1));
    assertThat(health.unreachable()).isEqualTo(UnitSet.none());
    assertThat(health.findings().get(0).message()).contains("answers for it");
  }

  @Test
  void aReplicaThatIsGoneIsFoundByAskingForItsBytes() throws IOException {
    file.dataNodes.vanish(file.replica(3));

    StripeHealth health = read().health();

    assertThat(health.findings())
        .extracting(UnitFinding::fault)
        .containsExactly(Fault.REPLICA_GONE);
    assertThat(health.unreachable()).isEqualTo(UnitSet.none());
  }

  @Test
  void aNodeThatDiesWhileItIsReadProvesNothing() throws IOException {
    file.dataNodes.cutOffAfterReads(file.replica(5 + 1).node(), 0);
    file.dataNodes.cutOff(file.replica(2).node());

    ScrubResult reading = read();

    assertThat(reading.isComplete()).isFalse();
    assertThat(reading.proven()).isEmpty();
    assertThat(reading.health().unreachable()).isEqualTo(UnitSet.of(2, 6));
    assertThat(reading.health().unreportedBadReplicas()).isEmpty();
  }

  @Test
  void aNodeThatHangsUpOnceIsAskedAgain() throws IOException {
    file.dataNodes.hangUp(file.replica(2).node(), 1);

    assertThat(read().health().findings()).isEmpty();
  }

  @Test
  void aNodeThatRefusesStreamsAndAnswersQuestionsIsNotCalledRotten() throws IOException {
    // Two refusals to open, and an answer in between.
    file.dataNodes.refuseToOpen(file.replica(2).node());

    ScrubResult reading = read();

    assertThat(reading.proven()).isEmpty();
    assertThat(reading.health().unreachable()).isEqualTo(UnitSet.of(2));
  }

  @Test
  void aNodeThatIsTooSlowToSendIsNotCalledRotten() throws IOException {
    file.dataNodes.scribbleAndTimeOut(file.replica(2));

    ScrubResult reading = read();

    assertThat(reading.proven()).isEmpty();
    assertThat(reading.health().unreachable()).isEqualTo(UnitSet.of(2));
  }

  @Test
  void whatTheNameNodeKnowsToBeLostIsNotRead() throws IOException {
    file.lose(0);
    file.cluster.resetCounts();

    ScrubResult reading = read();

    assertThat(reading.health().lost()).isEqualTo(UnitSet.of(0));
    assertThat(reading.isComplete()).isTrue();
    assertThat(file.cluster.opens()).isEqualTo(7);
  }

  @Test
  void anInterruptEndsTheReadingAndBlamesNobody() {
    Thread.currentThread().interrupt();
    try {
      file.dataNodes.cutOff(file.cluster.node(0));
      assertThatThrownBy(this::read).isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  // What the NameNode is told of

  private int report(ScrubResult reading) throws IOException {
    return new BadReplicaReporter(
            (block, replica) -> {
              reported.add(replica);
              file.cluster.report(block.id(), replica.node());
            },
            () -> {},
            new StripeClaims())
        .report(reading, file.blocks);
  }

  /** Unit 1 has two copies. */
  private List<Replica> copied() throws IOException {
    long inode = file.cluster.file(RaidedStripe.PATH).orElseThrow().inode();
    file.cluster.setReplication(inode, 2);
    file.cluster.replicate();
    return file.located(1).live();
  }

  @Test
  void ofTwoCopiesTheBadOneIsReported() throws IOException {
    List<Replica> copies = copied();
    assertThat(copies).hasSize(2);
    file.cluster.corrupt(file.block(1).id(), copies.get(0).node());

    ScrubResult reading = read();

    assertThat(reading.health().lost()).isEqualTo(UnitSet.none());
    assertThat(report(reading)).isEqualTo(1);
    assertThat(reported).containsExactly(copies.get(0));
  }

  @Test
  void theOnlyCopyIsNotReported() throws IOException {
    file.cluster.corrupt(file.block(1).id(), file.replica(1).node());

    assertThat(report(read())).isZero();
  }

  @Test
  void nothingIsReportedWhenTheGoodCopyIsGoneSince() throws IOException {
    List<Replica> copies = copied();
    file.cluster.corrupt(file.block(1).id(), copies.get(0).node());
    ScrubResult reading = read();
    file.cluster.deleteReplica(file.block(1).id(), copies.get(1).node());

    assertThat(report(reading)).isZero();
  }

  @Test
  void aBlockThatHasChangedSinceIsNotReported() throws IOException {
    List<Replica> copies = copied();
    file.cluster.corrupt(file.block(1).id(), copies.get(0).node());
    ScrubResult reading = read();
    file.cluster.truncate(RaidedStripe.PATH, 1_500);

    assertThat(report(reading)).isZero();
  }

  @Test
  void aReplicaOfAStripeInWorkIsLeftToWhoeverWorksOnIt() throws IOException {
    List<Replica> copies = copied();
    file.cluster.corrupt(file.block(1).id(), copies.get(0).node());
    ScrubResult reading = read();
    LocatedStripe stripe = reading.stripe();
    StripeClaims claims = new StripeClaims();
    StripeClaims.Claim claim = claims.claim(stripe).orElseThrow();

    BadReplicaReporter copiesReports =
        new BadReplicaReporter((block, replica) -> reported.add(replica), () -> {}, claims);

    assertThat(copiesReports.report(reading, file.blocks)).isZero();
    claim.close();
    assertThat(copiesReports.report(reading, file.blocks)).isEqualTo(1);
  }

  @Test
  void theFenceIsPassedBeforeAReport() throws IOException {
    List<Replica> copies = copied();
    file.cluster.corrupt(file.block(1).id(), copies.get(0).node());
    ScrubResult reading = read();
    BadReplicaReporter deposed =
        new BadReplicaReporter(
            (block, replica) -> reported.add(replica),
            () -> {
              throw new IOException("deposed");
            },
            new StripeClaims());

    assertThatThrownBy(() -> deposed.report(reading, file.blocks)).hasMessage("deposed");
    assertThat(reported).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rs-6-3", "lrc-xorbas-10-6", "less-6-3", "hitchhiker-6-3", "crs-good-6-3"})
  void parityThatWasWrongWhenItWasEncodedIsFound(String codec) throws IOException {
    int parity = Codecs.parse(codec).shape().dataUnits() + 1;
    assertThat(new RaidedStripe(codec, 20, 1).health().state()).isEqualTo(State.HEALTHY);
    RaidedStripe good = new RaidedStripe(codec, 20, 1);
    RaidedStripe wrong = new RaidedStripe(codec, 20, 1, UnitSet.of(parity));

    assertThat(new Scrubber(good.dataNodes).read(good.stripe()).parityIsWrong()).isFalse();
    ScrubResult found = new Scrubber(wrong.dataNodes).read(wrong.stripe());

    assertThat(found.parityIsWrong()).isTrue();
    assertThat(found.health().state()).as("by all recorded checksums").isEqualTo(State.HEALTHY);
  }
}
