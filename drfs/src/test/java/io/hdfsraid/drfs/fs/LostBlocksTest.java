package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

class LostBlocksTest {
  private static final int LENGTH = 1_000;

  private final LostBlocks blocks = new LostBlocks(2, new ReadRetryPolicy(0, 0, 60_000));

  private static LocatedBlock located(long id, long stamp, long start) {
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("pool", id, LENGTH, stamp), new DatanodeInfo[0]);
    block.setStartOffset(start);
    return block;
  }

  private static LostBlock lost(long start) {
    return new LostBlock(
        start,
        LENGTH,
        new LostBlock.Contents() {
          @Override
          public void read(long offset, ByteBuffer target) {
            throw new AssertionError("not read here");
          }

          @Override
          public int rowBytes() {
            return LENGTH;
          }
        });
  }

  @Test
  void aBlockIsKnownAtItsPlaceAndGenerationOnly() {
    LostBlock lost = lost(0);
    blocks.add("/f", located(1, 1001, 0), lost);
    assertThat(blocks.get("/f", located(1, 1001, 0))).contains(lost);
    assertThat(blocks.get("/f", located(1, 1002, 0))).as("rewritten").isEmpty();
    assertThat(blocks.get("/f", located(1, 1001, LENGTH))).as("behind another").isEmpty();
    assertThat(blocks.get("/g", located(1, 1001, 0))).as("of another file").isEmpty();
    assertThat(blocks.haveAnyOf("/f")).isTrue();
    assertThat(blocks.haveAnyOf("/g")).isFalse();
    assertThat(blocks.among("/f", List.of(located(2, 1001, LENGTH), located(1, 1001, 0))))
        .containsExactly(lost);
    blocks.forget(lost);
    assertThat(blocks.haveAnyOf("/f")).isFalse();
  }

  @Test
  void theLeastRecentlyUsedIsForgotten() {
    blocks.add("/a", located(1, 1, 0), lost(0));
    blocks.add("/b", located(2, 1, 0), lost(0));
    assertThat(blocks.get("/a", located(1, 1, 0))).isPresent();
    blocks.add("/c", located(3, 1, 0), lost(0));
    assertThat(blocks.haveAnyOf("/a")).isTrue();
    assertThat(blocks.haveAnyOf("/b")).isFalse();
    assertThat(blocks.haveAnyOf("/c")).isTrue();
  }

  @Test
  void whatIsNotBelievedAnyMoreIsForgotten() {
    LostBlocks shortly = new LostBlocks(2, new ReadRetryPolicy(0, 0, 0));
    shortly.add("/f", located(1, 1, 0), lost(0));
    assertThat(shortly.get("/f", located(1, 1, 0))).isEmpty();
    assertThat(shortly.haveAnyOf("/f")).isFalse();
  }
}
