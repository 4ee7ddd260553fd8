// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.AccessSamples;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.raidnode.catalog.Tables.Kind;
import io.hdfsraid.raidnode.catalog.Tables.Listed;
import io.hdfsraid.raidnode.catalog.Tables.Moment;
import io.hdfsraid.raidnode.catalog.Tables.Turn;
import io.hdfsraid.raidnode.catalog.Tables.Waking;
import io.hdfsraid.recency.rocksdb.Format;
import io.hdfsraid.recency.rocksdb.KeyNumber;
import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The bytes on disk. Where one of the golden texts changes, the version of the format must too. */
class TablesTest {
  private static final Total TOTAL =
      new Total(FileState.LEFT, Optional.of(Reason.TOO_SMALL), 1, 2, 3, 4, 5);

  @Test
  void theBytesOfEveryFormatAreTheGoldenOnes() {
    assertGolden(
        Tables.FILE,
        Samples.everyFieldSet(),
        "018680020c2f612f62c3a9d80480020606d00f02a01f06616e6e0a75736572730212454e4352"
            + "5950544544020202040e7265647563656412524541445f4f4e4c5914643120697320646f77"
            + "6e1277617265686f757365f02e02c03e020e72732d31302d34060202048008904e");
    assertGolden(
        Tables.REPAIR,
        Samples.repair(16_400, 3),
        "02a0800206868002082f612f620c72732d362d330400100212706f7374706f6e6564104e414d"
            + "454e4f4445d00f04184e4f4445535f4641494c454402a01ff80ad00f");
    assertGolden(
        Tables.OUTCOME,
        Samples.outcome(Instant.ofEpochMilli(1_000), "/a"),
        "03d00f0c726169646564020e042f61021277617265686f7573651233207374726970657314080000000000");
    assertGolden(Tables.TOTAL, TOTAL, "01086c65667412544f4f5f534d414c4c020406080a");
    assertGolden(
        Tables.LOOKS,
        AccessSamples.beginning(
            Instant.ofEpochMilli(1),
            new AccessRate(1.5, Instant.ofEpochMilli(1_000), Duration.ofMillis(1))),
        "01020280808080808080f87fd00f02");
    assertGolden(Tables.INODE, 16_387L, "8000000000004003");
    assertGolden(Tables.STRIPE, new StripeKey(16_400, 3), "80000000000040108000000000000003");
    assertGolden(
        Tables.URGENCY,
        new Urgency(-1, Instant.ofEpochMilli(1), new StripeKey(16_400, 3)),
        "7fffffffffffffff800000000000000180000000000040108000000000000003");
    assertGolden(
        Tables.WAKING,
        new Waking(Instant.ofEpochMilli(1), new StripeKey(16_400, 3)),
        "800000000000000180000000000040108000000000000003");
    assertGolden(
        Tables.MOMENT, new Moment(Instant.ofEpochMilli(1), 9), "80000000000000018000000000000009");
    assertGolden(Tables.LISTED, new Listed(FileState.RAIDED, 5), "7261696465642f8000000000000005");
    assertGolden(
        Tables.KIND, new Kind(FileState.LEFT, Optional.of(Reason.EMPTY)), "6c6566742f454d505459");
    assertGolden(Tables.KIND, new Kind(FileState.RAIDED, Optional.empty()), "7261696465642f");
    assertGolden(
        Tables.TURN,
        new Turn(ScrubDepth.DEEP, true, Instant.ofEpochMilli(1), 9),
        "8000000000000001800000000000000180000000000000018000000000000009");
    assertGolden(
        Tables.SCRUB,
        new ScrubRecord(
            9,
            10,
            Instant.ofEpochMilli(1),
            500,
            new Progress(
                Optional.of(Instant.ofEpochMilli(2)),
                Optional.of(Instant.ofEpochMilli(3)),
                4,
                List.of(3),
                List.of(1, 3, 7),
                Optional.of(Instant.ofEpochMilli(5))),
            Progress.NONE),
        "02121402e807020402060802060602060e020a000000000000");
    assertGolden(
        Tables.FAULTS,
        List.of(new ReplicaFault(3, new Block(7, 8, 9), "n1", Instant.ofEpochMilli(1), "bad")),
        "0102060e1012046e310206626164");
    assertGolden(Tables.TEXT, "é", "c3a9");
  }

  @Test
  void aScrubOfTheFirstVersionIsReadAndBeginsAgainIfItMetGapsInUnknownStripes() {
    ScrubRecord scrub =
        Tables.SCRUB
            .decode()
            .apply(HexFormat.of().parseHex("01121402e807020402060802020a02040206080000"));

    assertThat(scrub)
        .isEqualTo(
            new ScrubRecord(
                9,
                10,
                Instant.ofEpochMilli(1),
                500,
                Progress.waiting(
                    Optional.of(Instant.ofEpochMilli(2)), Optional.of(Instant.ofEpochMilli(5))),
                new Progress(
                    Optional.of(Instant.ofEpochMilli(2)),
                    Optional.of(Instant.ofEpochMilli(3)),
                    4,
                    List.of(),
                    List.of(),
                    Optional.empty())));
  }

  @Test
  void repairsOfVersion1AreAtRiskSinceTheirLoss() {
    byte[] old =
        HexFormat.of()
            .parseHex(
                "01a0800206868002082f612f620c72732d362d330400100212706f7374706f6e6564104e414d"
                    + "454e4f4445d00f04184e4f4445535f4641494c454402a01ff80a");

    assertThat(Tables.REPAIR.decode().apply(old)).isEqualTo(Samples.repair(16_400, 3));
  }

  @Test
  void aLineOfTheHistoryOfAnEarlierVersionHasNoEpoch() {
    byte[] old =
        HexFormat.of()
            .parseHex(
                "02d00f0c726169646564020e042f61021277617265686f7573651233207374726970657314"
                    + "0800000000");

    assertThat(Tables.OUTCOME.decode().apply(old))
        .isEqualTo(Samples.outcome(Instant.ofEpochMilli(1_000), "/a"));
  }

  private static <T> void assertGolden(Format<T> format, T value, String hex) {
    byte[] bytes = format.encode().apply(value);
    assertThat(HexFormat.of().formatHex(bytes)).as(value.toString()).isEqualTo(hex);
    assertThat(format.decode().apply(bytes)).isEqualTo(value);
  }

  @Test
  void everyStatusReturnsFromItsTag() {
    for (FileState status : FileState.values()) {
      assertThat(FileState.ofTag(status.tag())).isEqualTo(status);
    }
    for (RepairStatus status : RepairStatus.values()) {
      assertThat(RepairStatus.ofTag(status.tag())).isEqualTo(status);
    }
  }

  @Test
  void keysSortAsTheNumbersDo() {
    List<byte[]> keys =
        LongStream.of(Long.MIN_VALUE, -5, -1, 0, 1, 255, 256, Long.MAX_VALUE)
            .mapToObj(KeyNumber::key)
            .toList();
    assertThat(keys).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void numbersOfEverySizeReturn() {
    for (int shift = 0; shift < 64; shift++) {
      for (long value : new long[] {1L << shift, -(1L << shift), (1L << shift) - 1}) {
        byte[] bytes = RecordWriter.ofVersion(1).signed(value).toBytes();
        assertThat(RecordReader.ofVersion(1, bytes).signed())
            .as("shift %d", shift)
            .isEqualTo(value);
      }
    }
  }

  @Test
  void aRecordOfAnotherVersionOrCutShortIsRefused() {
    byte[] bytes = Tables.FILE.encode().apply(Samples.everyFieldSet());
    byte[] newer = bytes.clone();
    newer[0] = 2;
    assertThatThrownBy(() -> Tables.FILE.decode().apply(newer))
        .hasMessageContaining("expected version 1 of a record, but found 2");
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Tables.FILE.decode().apply(cut))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
