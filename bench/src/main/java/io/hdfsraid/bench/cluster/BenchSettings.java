// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.cluster;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.raidshell.command.Screen;
import java.util.List;

/**
 * The files that are raided, and the cluster that they lie on.
 *
 * @param codecs with which it is raided, one after another
 * @param files how many there are, of which {@code workers} are treated at a time
 * @param blocks of each file
 * @param blockBytes a multiple of 1 MiB, as the cells of HDFS's policies are that long
 * @param racks that the DataNodes are on, in turn
 */
public record BenchSettings(
    List<ErasureCodec> codecs,
    int files,
    int blocks,
    long blockBytes,
    int dataNodes,
    int racks,
    int workers) {
  private static final long CELL = 1 << 20;
  private static final int MOST_DATA_NODES = 128;

  public BenchSettings {
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

  /** The same with so many files, or with as many as there are if these are fewer. */
  public BenchSettings withFiles(int most) {
    return new BenchSettings(
        codecs, Math.min(files, most), blocks, blockBytes, dataNodes, racks, workers);
  }

  private static void require(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d to %d, but got %d".formatted(option, least, most, value));
    }
  }

  /** Of each file. */
  public int stripes(StripeShape shape) {
    return (blocks + shape.dataUnits() - 1) / shape.dataUnits();
  }

  public long fileBytes() {
    return blocks * blockBytes;
  }

  public long sourceBytes() {
    return files * fileBytes();
  }

  @Override
  public String toString() {
    return "%d files of %d blocks of %s with 3 replicas, %d DataNodes on %d racks, %d workers"
        .formatted(files, blocks, Screen.bytes(blockBytes), dataNodes, racks, workers);
  }
}
