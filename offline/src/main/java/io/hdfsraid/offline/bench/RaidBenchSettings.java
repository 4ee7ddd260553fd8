package io.hdfsraid.offline.bench;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.raidshell.Screen;
import java.util.List;

/**
 * What is raided and rewritten, and where.
 *
 * @param codecs Reed-Solomon codes for which HDFS has a policy of its own
 * @param files how many are raided, rewritten and read, {@code workers} at a time
 * @param blocks of each file
 * @param blockBytes a multiple of 1 MiB, as the cells of HDFS's policies are that long
 * @param racks that the DataNodes are on, in turn
 */
record RaidBenchSettings(
    List<ErasureCodec> codecs,
    int files,
    int blocks,
    long blockBytes,
    int dataNodes,
    int racks,
    int workers) {
  private static final long CELL = 1 << 20;
  private static final int MOST_DATA_NODES = 128;

  RaidBenchSettings {
    codecs = List.copyOf(codecs);
    require("--files", files, 1, 1000);
    require("--blocks", blocks, 1, 1000);
    require("--workers", workers, 1, 64);
    int units = codecs.stream().mapToInt(codec -> codec.shape().units()).max().orElse(1);
    require("--datanodes", dataNodes, units, MOST_DATA_NODES);
    require("--racks", racks, 1, dataNodes);
    if (blockBytes < CELL || blockBytes % CELL != 0) {
      throw new IllegalArgumentException(
          "--block-size is a number of MiB, but got %d bytes".formatted(blockBytes));
    }
  }

  private static void require(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d to %d, but got %d".formatted(option, least, most, value));
    }
  }

  /** Of each file. */
  int stripes(StripeShape shape) {
    return (blocks + shape.dataUnits() - 1) / shape.dataUnits();
  }

  long fileBytes() {
    return blocks * blockBytes;
  }

  long sourceBytes() {
    return files * fileBytes();
  }

  @Override
  public String toString() {
    return "%d files of %d blocks of %s with 3 replicas, %d DataNodes on %d racks, %d workers"
        .formatted(files, blocks, Screen.bytes(blockBytes), dataNodes, racks, workers);
  }
}
