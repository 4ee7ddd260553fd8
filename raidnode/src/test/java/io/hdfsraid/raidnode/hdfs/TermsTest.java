// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.process.OwnerProcess;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TermsTest {
  private static final long FILE = 16390;
  private static final Terms THERE = Terms.parse(FILE, "a 1 300\nb 2 7\nc 3 0").withBeats(40);

  @Test
  void whatWasWrittenIsReadAgain() {
    assertThat(THERE.all())
        .containsExactly(new Term("a", 1, 300), new Term("b", 2, 7), new Term("c", 3, 40));
    assertThat(Terms.parse(FILE, THERE.lines())).isEqualTo(THERE);
    Terms unknown = THERE.withBeats(Term.UNKNOWN);
    assertThat(Terms.parse(FILE, unknown.lines())).isEqualTo(unknown);
    assertThat(Terms.parse(0, "")).isEqualTo(Terms.NONE);
  }

  @Test
  void whatPeopleWriteThereIsLeftOut() {
    assertThat(Terms.parse(FILE, "rubbish\na 1 300\nb x 5\n 1 5\n\nc 4 5 6").all())
        .containsExactly(new Term("a", 1, 300));
  }

  private static final OwnerProcess HOLDER = process("here\n\n12\n");
  private static final OwnerProcess FORMER = process("elsewhere\n\n4711\n");

  private static OwnerProcess process(String name) {
    return OwnerProcess.parse(name.getBytes(UTF_8)).orElseThrow();
  }

  private static boolean lacks(Terms there, String id, long beats) {
    return there.lacks(new LastTerm(FILE, id, beats));
  }

  @Test
  void aNamespaceLacksWhatCameAfterTheStateThatItWasSetBackTo() {
    assertThat(lacks(THERE, "d", 0)).as("another term").isTrue();
    assertThat(lacks(THERE, "c", 42)).as("later heartbeats").isTrue();
    assertThat(lacks(THERE, "a", 302)).as("those of a term that is over").isTrue();
    assertThat(lacks(THERE, "c", 41)).as("one that was under way").isFalse();
    assertThat(lacks(THERE, "b", 7)).isFalse();
    assertThat(lacks(THERE.withBeats(Term.UNKNOWN), "c", 1_000)).as("nobody knows").isFalse();
    assertThat(THERE.has("c", 41)).isFalse();
    assertThat(THERE.has("c", 40)).isTrue();
  }

  @Test
  void whateverHappensToItSince() {
    Terms later = THERE.begin(4).withBeats(1_000_000).begin(5).withBeats(5);
    assertThat(lacks(later, "c", 42)).isTrue();
    assertThat(lacks(later, "c", 40)).isFalse();
  }

  @Test
  void anOlderFileIsThatOfAnEarlierStateAndANewerOneThatOfANewRoot() {
    LastTerm known = THERE.last();
    assertThat(new Terms(FILE - 1, THERE.all()).lacks(known)).isTrue();
    assertThat(new Terms(FILE + 1, Terms.NONE.begin(1).all()).lacks(known)).isFalse();
  }

  @Test
  void theOldestIsForgottenWhenThereAreTooMany() {
    Terms terms = THERE;
    for (int i = 0; i < Terms.MOST; i++) {
      terms = terms.begin(Long.MAX_VALUE / 10).withBeats(Long.MAX_VALUE / 10);
    }
    assertThat(terms.all()).hasSize(Terms.MOST).doesNotHaveDuplicates();
    assertThat(lacks(terms, "c", 40)).as("better too careful").isTrue();
    assertThat(terms.lines().length())
        .as("dfs.namenode.fs-limits.max-xattr-size")
        .isLessThan(16384);
  }

  @Test
  void whatAnOwnerHasNoticedIsToldWithTheTerms() {
    LastTerm lost = new LastTerm(FILE, "b", 500);
    assertThat(THERE.isKnownToLack(lost)).isFalse();
    Terms heeded = THERE.lose("b");
    assertThat(heeded.isKnownToLack(lost)).isTrue();
    assertThat(heeded.last()).isEqualTo(THERE.last());
    assertThat(heeded.lacks(lost)).isTrue();
    assertThat(lacks(THERE.lose("d"), "d", 0)).as("of a term without a heartbeat, too").isTrue();
    assertThat(lacks(heeded, "b", 7)).isFalse();
    assertThat(Terms.parse(FILE, heeded.lines())).isEqualTo(heeded);
  }

  @Test
  void theHeartbeatsOfThePresentTermAreThoseOfItsHolder() {
    assertThat(beats(3)).as("none yet").isZero();
    assertThat(beats(3, mark(HOLDER, 3, 1))).isEqualTo(1);
    assertThat(beats(3, mark(HOLDER, 3, 1), mark(HOLDER, 3, 2))).isEqualTo(2);
    assertThat(beats(3, mark(HOLDER, 3, 41), mark(HOLDER, 3, 40))).isEqualTo(41);
    assertThat(beats(3, mark(HOLDER, 3, 300), mark(HOLDER, 3, 501)))
        .as("one that hung while the namespace was set back")
        .isEqualTo(301);
    assertThat(beats(3, mark(HOLDER, 3, 501))).isEqualTo(1);
    assertThat(beats(3, mark(HOLDER, 3, 40), mark(FORMER, 2, 7)))
        .as("a late one of the former holder")
        .isEqualTo(Term.UNKNOWN);
    assertThat(beats(4, mark(HOLDER, 4, 40)))
        .as("a daemon of an older version, which begins no term")
        .isEqualTo(Term.UNKNOWN);
    assertThat(OwnerSight.terms(FILE, Map.of())).isEqualTo(new Terms(FILE, Terms.NONE.all()));
  }

  private record Beat(OwnerProcess holder, long epoch, long number) {}

  private static Beat mark(OwnerProcess holder, long epoch, long number) {
    return new Beat(holder, epoch, number);
  }

  private static long beats(long epoch, Beat... beats) {
    Map<String, byte[]> marks = new HashMap<>();
    marks.put(OwnerSight.TERMS, THERE.lines().getBytes(UTF_8));
    marks.put(OwnerSight.PROCESS, HOLDER.toBytes());
    marks.put(OwnerSight.EPOCH, Long.toString(epoch).getBytes(UTF_8));
    for (Beat beat : beats) {
      marks.put(
          OwnerSight.beat(beat.number()),
          OwnerSight.mark(beat.holder(), beat.epoch(), beat.number()));
    }
    return OwnerSight.terms(FILE, marks).last().beats();
  }
}
