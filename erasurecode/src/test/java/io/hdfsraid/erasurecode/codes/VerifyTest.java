// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.Consistency.Verdict;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerifyTest {
  private static final int CHUNK = 37;

  static List<ErasureCodec> codecs() {
    return Codecs.all();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void unitsAsTheyWereEncodedFitTogether(ErasureCodec codec) {
    assertThat(codec.verify(encoded(codec, CHUNK)))
        .isEqualTo(new Consistency(Verdict.CODEWORD, UnitSet.none(), UnitSet.none()));
  }

  /** Each unit in turn, with one wrong bit at the beginning, in the middle or at the end. */
  @ParameterizedTest
  @MethodSource("codecs")
  void theOneWrongUnitIsNamed(ErasureCodec codec) {
    ByteBuffer[] units = encoded(codec, CHUNK);
    int length = units[0].remaining();
    for (int unit = 0; unit < units.length; unit++) {
      for (int at : new int[] {0, length / 2, length - 1}) {
        flip(units[unit], at);
        Consistency found = codec.verify(units);
        flip(units[unit], at);
        assertThat(found.verdict()).isEqualTo(Verdict.WRONG);
        if (distance(codec) > 2) {
          assertThat(found.suspects()).as("%s, unit %d", codec, unit).isEqualTo(UnitSet.of(unit));
        } else {
          assertThat(found.suspects()).isEqualTo(UnitSet.all(codec.shape()));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void aUnitThatIsWrongThroughoutIsNamedToo(ErasureCodec codec) {
    ByteBuffer[] units = encoded(codec, CHUNK);
    int wrong = codec.shape().units() / 2;
    units[wrong] = ByteBuffer.allocate(units[wrong].remaining());
    Consistency found = codec.verify(units);
    assertThat(found.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(found.suspects().contains(wrong)).isTrue();
    assertThat(found.suspects().size()).isEqualTo(distance(codec) > 2 ? 1 : units.length);
  }

  /** With distance 4 or more no single unit explains what two have done. */
  @ParameterizedTest
  @MethodSource("codecs")
  void whenTwoAreWrongNobodyIsAccused(ErasureCodec codec) {
    if (distance(codec) > 3) {
      Patterns.ofSize(2, codec.shape().units())
          .forEach(
              pair -> {
                ByteBuffer[] units = encoded(codec, CHUNK);
                pair.stream().forEach(unit -> flip(units[unit], 3));
                assertThat(codec.verify(units))
                    .as("%s, wrong %s", codec, pair)
                    .isEqualTo(new Consistency(Verdict.WRONG, UnitSet.none(), UnitSet.none()));
              });
    }
  }

  /** Two units that are wrong at different places: each explains one place, none both. */
  @Test
  void placesAreJudgedTogether() {
    ErasureCodec codec = Codecs.parse("rs-10-4");
    ByteBuffer[] units = encoded(codec, 200_000);
    flip(units[2], 5);
    flip(units[7], 199_999);
    assertThat(codec.verify(units))
        .isEqualTo(new Consistency(Verdict.WRONG, UnitSet.none(), UnitSet.none()));
  }

  @Test
  void aWrongBitInTheLastPieceOfALongRowIsFound() {
    ErasureCodec codec = Codecs.parse("rs-6-3");
    ByteBuffer[] units = encoded(codec, 200_001);
    flip(units[8], 200_000);
    assertThat(codec.verify(units))
        .isEqualTo(new Consistency(Verdict.WRONG, UnitSet.of(8), UnitSet.none()));
  }

  @Test
  void whatIsThereIsCheckedWithoutTheUnitsThatAreNot() {
    ErasureCodec codec = Codecs.parse("rs-10-4");
    ByteBuffer[] units = encoded(codec, CHUNK);
    units[0] = null;
    units[12] = null;
    assertThat(codec.verify(units).verdict()).isEqualTo(Verdict.CODEWORD);
    flip(units[5], 1);
    assertThat(codec.verify(units))
        .isEqualTo(new Consistency(Verdict.WRONG, UnitSet.of(5), UnitSet.none()));
    units[1] = null;
    // One check is left: it says that something is wrong, but not what.
    assertThat(codec.verify(units).suspects())
        .isEqualTo(UnitSet.all(codec.shape()).minus(UnitSet.of(0, 1, 12)));
    units[2] = null;
    assertThat(codec.verify(units))
        .isEqualTo(
            new Consistency(
                Verdict.UNDECIDED,
                UnitSet.none(),
                UnitSet.all(codec.shape()).minus(UnitSet.of(0, 1, 2, 12))));
  }

  /** In an LRC a whole local group can be checked although nothing else is there. */
  @Test
  void aLocalGroupIsCheckedAlone() {
    ErasureCodec codec = Codecs.parse("lrc-xorbas-10-6");
    ByteBuffer[] units = encoded(codec, CHUNK);
    UnitSet group = UnitSet.of(0, 1, 2, 3, 4, 14);
    for (int unit = 0; unit < units.length; unit++) {
      if (!group.contains(unit)) {
        units[unit] = null;
      }
    }
    assertThat(codec.verify(units).verdict()).isEqualTo(Verdict.CODEWORD);
    flip(units[14], 0);
    assertThat(codec.verify(units))
        .isEqualTo(new Consistency(Verdict.WRONG, group, UnitSet.none()));
    units[14] = null;
    assertThat(codec.verify(units).verdict()).isEqualTo(Verdict.UNDECIDED);
  }

  /** Two units of the other group are there, too, but nothing that they could be compared with. */
  @Test
  void unitsThatNothingChecksAreNamed() {
    ErasureCodec codec = Codecs.parse("lrc-xorbas-10-6");
    ByteBuffer[] units = encoded(codec, CHUNK);
    UnitSet given = UnitSet.of(0, 1, 2, 3, 4, 14, 7, 8);
    for (int unit = 0; unit < units.length; unit++) {
      if (!given.contains(unit)) {
        units[unit] = null;
      }
    }
    flip(units[7], 0);
    assertThat(codec.verify(units))
        .isEqualTo(new Consistency(Verdict.CODEWORD, UnitSet.none(), UnitSet.of(7, 8)));
  }

  @Test
  void unitsThatCannotBeComparedAreRefused() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    ByteBuffer[] units = encoded(codec, CHUNK);
    assertThatThrownBy(() -> codec.verify(Arrays.copyOf(units, 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rs-3-2 has 5 units, but got 4 buffers");
    units[1].limit(CHUNK - 1);
    assertThatThrownBy(() -> codec.verify(units))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Unit 1 has %d bytes remaining, but unit 0 has %d", CHUNK - 1, CHUNK);
    assertThat(codec.verify(new ByteBuffer[5]).verdict()).isEqualTo(Verdict.UNDECIDED);
  }

  private static int distance(ErasureCodec codec) {
    return codec.furtherLosses(UnitSet.none()) + 1;
  }

  private static ByteBuffer[] encoded(ErasureCodec codec, int chunk) {
    int length = chunk * codec.subUnits();
    int[] lengths = IntStream.generate(() -> length).limit(codec.shape().dataUnits()).toArray();
    Stripe stripe = Stripe.encode(codec, chunk, new Random(6), lengths);
    return IntStream.range(0, codec.shape().units())
        .mapToObj(unit -> ByteBuffer.wrap(stripe.unit(unit)))
        .toArray(ByteBuffer[]::new);
  }

  private static void flip(ByteBuffer buffer, int at) {
    buffer.put(at, (byte) (buffer.get(at) ^ 0x10));
  }
}
