// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScrubReportTest {
  private static final ErasureCodec RS = Codecs.parse("rs-3-2");
  private static final long BYTES = 100;

  /** A stripe in which the first units have a fault each. */
  private static StripeScrub.Seen seen(Fault fault, int faulty, int reported) {
    List<StripeUnit> units = new ArrayList<>();
    for (int unit = 0; unit < RS.shape().units(); unit++) {
      units.add(
          new StripeUnit(
              unit,
              BYTES,
              0,
              Optional.of(new LocatedBlock(block(unit), List.of(), List.of())),
              UnitState.LIVE));
    }
    List<UnitFinding> findings = new ArrayList<>();
    for (int unit = 0; unit < faulty; unit++) {
      findings.add(
          new UnitFinding(
              unit,
              block(unit),
              Optional.empty(),
              fault,
              DetectionSource.SCRUB,
              "unit " + unit + " is bad"));
    }
    LocatedStripe stripe = new LocatedStripe(1, 0, RS, new RowLayout(1, 1 << 20), BYTES, units);
    StripeHealth judged = StripeJudge.judge(stripe, List.of());
    return new StripeScrub.Seen(
        new StripeHealth(stripe, judged.state(), judged.lost(), judged.furtherLosses(), findings),
        BYTES,
        reported,
        false);
  }

  private static Block block(int unit) {
    return new Block(100 + unit, 1, BYTES);
  }

  private static Replica replica(String node) {
    return new Replica(new DataNode(node, node + ":9866", node, "/rack"), "DISK", true);
  }

  private static ScrubReport report(ScrubDepth depth, StripeScrub.Seen... stripes) {
    ScrubReport report = new ScrubReport(depth);
    List.of(stripes).forEach(report::add);
    return report;
  }

  @Test
  void wholeStripesAreClean() {
    StripeScrub.Seen whole = seen(Fault.ROTTEN, 0, 0);
    ScrubReport report = report(ScrubDepth.DEEP, whole, whole);

    assertThat(report.isClean()).isTrue();
    assertThat(report.bytes()).isEqualTo(2 * BYTES);
    assertThat(report.sentence())
        .isEqualTo("Read 2 stripes, 200 bytes: all that could be seen is as recorded");
    assertThat(report(ScrubDepth.PRESENCE, whole).sentence()).startsWith("Asked for 1 stripes: ");
  }

  @Test
  void aNodeThatDoesNotAnswerProvesNoLossButTheReportIsNotClean() {
    ScrubReport report = report(ScrubDepth.PRESENCE, seen(Fault.UNREACHABLE, 1, 0));

    assertThat(report.isClean()).isFalse();
    assertThat(report.hasGaps()).isTrue();
    assertThat(report.badReplicas()).isZero();
    assertThat(report.sentence()).endsWith("; of 1 stripes some node did not answer");
  }

  @Test
  void onlyTheFirstBadReplicasAreNamedAndAllAreCounted() {
    ScrubReport report =
        report(ScrubDepth.DEEP, seen(Fault.ROTTEN, 4, 1), seen(Fault.ROTTEN, 4, 2));

    assertThat(report.badReplicas()).isEqualTo(8);
    assertThat(report.sentence())
        .contains("8 bad: ", "unit 3 is bad; unit 0 is bad; and more")
        .endsWith("; the NameNode was told of 3");
  }

  @Test
  void aScrubCostsEveryLiveReplica() {
    Replica replica = replica("n1");
    StripeUnit live =
        new StripeUnit(
            0,
            BYTES,
            0,
            Optional.of(new LocatedBlock(block(0), List.of(replica, replica("n2")), List.of())),
            UnitState.LIVE);
    List<StripeUnit> units = new ArrayList<>(List.of(live));
    for (int unit = 1; unit < RS.shape().units(); unit++) {
      units.add(
          new StripeUnit(
              unit,
              BYTES,
              0,
              Optional.of(new LocatedBlock(block(unit), List.of(replica), List.of())),
              UnitState.LOST));
    }
    LocatedStripe stripe = new LocatedStripe(1, 0, RS, new RowLayout(1, 1 << 20), BYTES, units);

    assertThat(ScrubCost.of(List.of(stripe, stripe))).isEqualTo(new ScrubCost(4, 4 * BYTES));
  }
}
