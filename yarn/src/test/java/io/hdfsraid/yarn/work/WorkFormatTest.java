// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkFormatTest {
  private static final EncodeWork WORK =
      new EncodeWork(
          3,
          "/.raid/tmp/16400-a",
          7,
          "rs-3-2",
          List.of(
              new Source(
                  new Block(-5, 1001, 1 << 20),
                  List.of(
                      new Replica(
                          new DataNode("uuid", "10.0.0.1:9866", "node1", "/rack1"),
                          "DS-1",
                          "SSD",
                          true),
                      new Replica(
                          new DataNode("uuid2", "10.0.0.2:9866", "node2", "/rack2"),
                          "",
                          "DISK",
                          false)),
                  "token"),
              new Source(new Block(6, 1002, 17), List.of(), "")),
          List.of("10.0.0.3:9866", "10.0.0.4:0"),
          1 << 20);

  private static byte[] bytes(Answer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WorkFormat.write(answer, new DataOutputStream(out));
    return out.toByteArray();
  }

  private static Answer readAnswer(byte[] bytes) throws IOException {
    return WorkFormat.readAnswer(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static final RepairWork REPAIR =
      new RepairWork(
          4,
          16_400,
          2,
          "rs-3-2",
          new RowLayout(1, 1 << 20),
          1 << 20,
          List.of(
              new RepairWork.Unit(1 << 20, 77, false, Optional.of(WORK.data().get(0))),
              new RepairWork.Unit(17, -3, false, Optional.empty()),
              new RepairWork.Unit(0, 0, true, Optional.empty())),
          List.of(
              new RepairWork.Target(
                  1,
                  new Block(6, 1002, 17),
                  -3,
                  new DataNode("uuid3", "10.0.0.3:9866", "node3", "/rack3"),
                  "ARCHIVE",
                  "write")));

  @Test
  void workIsReadAsItWasWritten() throws IOException {
    for (Work work : List.of(WORK, REPAIR)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      WorkFormat.write(work, new DataOutputStream(out));
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));

      assertThat(WorkFormat.readWork(in)).usingRecursiveComparison().isEqualTo(work);
      assertThat(in.read()).as("what is left").isNegative();
    }
  }

  @Test
  void workCountsWhatItReadsAndKnowsWhereThatIs() {
    assertThat(WORK.bytes()).isEqualTo((1 << 20) + 17);
    assertThat(REPAIR.bytes()).isEqualTo(1 << 20);
    assertThat(REPAIR.held())
        .extracting(held -> held.nodes().stream().map(DataNode::host).toList())
        .containsExactly(List.of("node1"), List.of("node3"));
  }

  @Test
  void answersAreReadAsTheyWereWritten() throws IOException {
    List<Answer.Failure> failures = List.of(new Answer.Failure(1, 2, 3L << 32, true, "rotten"));
    List<Answer> answers =
        List.of(
            new Answer.Encoded(
                1,
                2,
                "attempt_1_m_000000_0",
                List.of(1, -2, 3),
                List.of(4, 5),
                List.of(Distance.SAME_NODE, Distance.SAME_RACK, Distance.OFF_RACK),
                failures,
                new EncodingTimes(1, 2, 3, 4)),
            new Answer.Failed(5, 6, "attempt_2", "host: java.io.IOException: no"),
            new Answer.Sent(
                3, "attempt_3", Map.of(Distance.SAME_RACK, 5L, Distance.OFF_RACK, 7L << 32)),
            new Answer.Finished(4, "attempt_4", 12));

    for (Answer answer : answers) {
      assertThat(readAnswer(bytes(answer))).isEqualTo(answer);
    }
  }

  @Test
  void anAnswerOfAnotherKindIsRefused() throws IOException {
    byte[] bytes = bytes(new Answer.Failed(5, 6, "attempt", "no"));
    bytes[0] = 9;

    assertThatThrownBy(() -> readAnswer(bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("9");
  }

  @Test
  void aListOfImpossibleLengthIsRefusedBeforeItIsRead() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream answer = new DataOutputStream(out);
    answer.writeByte(0); // of an encoded stripe
    answer.writeInt(1);
    answer.writeInt(2);
    answer.writeUTF("attempt");
    answer.writeInt(Integer.MAX_VALUE);

    assertThatThrownBy(() -> readAnswer(out.toByteArray()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2147483647");
  }
}
