// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidnode.raiding.core.BlockHolders.Holder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FsckAnswerTest {
  private static final String HEADER =
      "FSCK started by hdfs (auth:SIMPLE) from /127.0.0.1 at Mon Jul 03 10:00:00 UTC 2028\n";

  /** A group of lines as HDFS 3.5.0 writes it. */
  private static String block(long id, String path, int expected, int live, int stale) {
    return """

        Block Id: blk_%d
        Block belongs to: %s
        No. of Expected Replica: %d
        No. of live Replica: %d
        No. of excess Replica: 0
        No. of stale Replica: %d
        No. of decommissioned Replica: 0
        No. of decommissioning Replica: 0
        No. of entering maintenance Replica: 0
        No. of in maintenance Replica: 0
        No. of corrupted Replica: 0
        No. of redundant Replica: 0
        Block replica on datanode/rack: dn1/rack0 is HEALTHY
        Block replica on datanode/rack: dn2/rack1 is HEALTHY
        """
        .formatted(id, path, expected, live, stale);
  }

  private static Map<Long, Holder> holders(String text, Long... asked) throws IOException {
    return new FsckAnswer(HEADER + text).holders(List.of(asked));
  }

  @Test
  void eachBlockThatWasAskedForIsAnswered() throws IOException {
    assertThat(
            holders(
                block(7, "/a/f", 3, 2, 0)
                    + "\nBlock blk_8 does not exist\n"
                    + block(9, "/a/.snapshot/s/f", 2, 2, 1),
                7L,
                8L,
                9L))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(7L, new Holder("/a/f", 3, 2, 0), 9L, new Holder("/a/.snapshot/s/f", 2, 1, 1)));
  }

  @Test
  void linesThatAnOlderVersionDoesNotWriteAreNotMissed() throws IOException {
    String older =
        block(7, "/a/f", 3, 3, 0).replaceAll("No\\. of (redundant|in maintenance).*\n", "");
    assertThat(holders(older, 7L)).containsKey(7L);
  }

  /** Each is a name that makes a block with one replica look as if it had three. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/f\nNo. of Expected Replica: 3",
        "/f\nNo. of Expected Replica: 3\nNo. of live Replica: 3",
        "/f\nNo. of Expected Replica: 3\nNo. of live Replica: 3\nNo. of excess Replica: 0\n"
            + "No. of stale Replica: 0",
        "/f\nNo. of Expected Replica: 3\nNo. of live Replica: 3\nNo. of excess Replica: 0\n"
            + "No. of stale Replica: 0\nBlock replica on datanode/rack: x is HEALTHY",
        "/f\nNo. of Expected Replica: 3\nNo. of live Replica: 3\nNo. of excess Replica: 0\n"
            + "No. of stale Replica: 0\nBlock Id: blk_7\nBlock belongs to: /g",
        "/f\nNo. of Expected Replica: 3\nNo. of live Replica: 3\nNo. of excess Replica: 0\n"
            + "No. of stale Replica: 0\nBlock Id: blk_8\nBlock belongs to: /g",
        "/f\nNo. of Expected Replica: 3\nNo. of live Replica: 3\nNo. of excess Replica: 0\n"
            + "No. of stale Replica: 0\nBlock Id: blk_9\nBlock belongs to: /g",
        "/f\nBlock blk_7 does not exist",
        "/f\nBlock blk_8 does not exist"
      })
  void aPathWithLineBreaksForgesNothing(String path) {
    String text = block(7, path, 1, 1, 0) + block(8, "/h", 1, 1, 0);
    assertThatThrownBy(() -> holders(text, 7L, 8L))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no clear answer");
    assertThatThrownBy(() -> holders(block(7, path, 1, 1, 0), 7L)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Block blk_8 does not exist",
        "Fsck on blockId 'blk_7",
        "Block Id: blk_7\nBlock belongs to: /f\nNo. of Expected Replica: 3",
        "Block Id: blk_7\nBlock belongs to: /f\nNo. of Expected Replica: many"
      })
  void anythingElseIsNoAnswer(String text) {
    assertThatThrownBy(() -> holders(text, 7L)).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsNotOfFsckIsNoAnswer() {
    assertThatThrownBy(() -> new FsckAnswer("Block blk_7 does not exist\n").holders(List.of(7L)))
        .isInstanceOf(IOException.class);
  }
}
