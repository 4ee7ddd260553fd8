// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkFormatTest {
  private static final StripeWork WORK =
      new StripeWork(
          3,
          "/.raid/tmp/16400-a",
          7,
          "rs-3-2",
          List.of(
              new StripeWork.Source(
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
              new StripeWork.Source(new Block(6, 1002, 17), List.of(), "")),
          List.of("10.0.0.3:9866", "10.0.0.4:0"),
          1 << 20);

  private static byte[] bytes(StripeAnswer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WorkFormat.write(answer, new DataOutputStream(out));
    return out.toByteArray();
  }

  private static StripeAnswer readAnswer(byte[] bytes) throws IOException {
    return WorkFormat.readAnswer(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  @Test
  void workIsReadAsItWasWritten() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WorkFormat.write(WORK, new DataOutputStream(out));
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));

    StripeWork read = WorkFormat.readWork(in);

    assertThat(read).usingRecursiveComparison().isEqualTo(WORK);
    assertThat(in.read()).as("what is left").isNegative();
    assertThat(WORK.bytes()).isEqualTo((1 << 20) + 17);
  }

  @Test
  void answersAreReadAsTheyWereWritten() throws IOException {
    List<StripeAnswer.Failure> failures =
        List.of(new StripeAnswer.Failure(1, 2, 3L << 32, true, "rotten"));
    List<StripeAnswer> answers =
        List.of(
            new StripeAnswer.Encoded(
                1,
                2,
                "attempt_1_m_000000_0",
                List.of(1, -2, 3),
                List.of(4, 5),
                List.of(Distance.SAME_NODE, Distance.SAME_RACK, Distance.OFF_RACK),
                failures,
                new EncodingTimes(1, 2, 3, 4)),
            new StripeAnswer.Failed(5, 6, "host: java.io.IOException: no"));

    for (StripeAnswer answer : answers) {
      assertThat(readAnswer(bytes(answer))).isEqualTo(answer);
    }
  }

  @Test
  void anAnswerOfAnotherKindIsRefused() throws IOException {
    byte[] bytes = bytes(new StripeAnswer.Failed(5, 6, "no"));
    bytes[0] = 9;

    assertThatThrownBy(() -> readAnswer(bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("9");
  }

  @Test
  void aListOfImpossibleLengthIsRefusedBeforeItIsRead() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream answer = new DataOutputStream(out);
    answer.writeByte(0);
    answer.writeInt(1);
    answer.writeInt(2);
    answer.writeUTF("attempt");
    answer.writeInt(Integer.MAX_VALUE);

    assertThatThrownBy(() -> readAnswer(out.toByteArray()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2147483647");
  }
}
