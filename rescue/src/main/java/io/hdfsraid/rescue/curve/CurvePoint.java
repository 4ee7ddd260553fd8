// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.curve;

import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.raiding.group.GroupPlan;
import io.hdfsraid.raidnode.select.CodecEstimate;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The cost of files of one size: bytes on disks for each byte of the file, and objects of the
 * NameNode (inodes and blocks; a block is one object however many replicas it has).
 *
 * @param size of each file in bytes
 * @param copies three replicas
 * @param native64k HDFS's own striped erasure coding with cells of 64 KiB
 * @param native1024k with cells of 1 MiB, its usual size
 * @param alone with parity of its own at one replica; three replicas where that is less
 * @param group with parity that full groups share; as {@code alone} from a full stripe on
 * @param objectsCopies objects for 10^15 bytes of such files, with three replicas
 * @param objectsNative with striped erasure coding
 * @param objectsAlone with parity of its own
 * @param objectsGroup with parity that groups share
 */
public record CurvePoint(
    long size,
    double copies,
    double native64k,
    double native1024k,
    double alone,
    double group,
    long objectsCopies,
    long objectsNative,
    long objectsAlone,
    long objectsGroup) {
  private static final int COPIES = 3;
  private static final double PETABYTE = 1e15;
  private static final long MOST_STRIPES = 8;

  /** Sizes from 16 KiB to 16 GiB, doubling. */
  static List<CurvePoint> curve(String codec, long blockSize) {
    return LongStream.iterate(16L << 10, size -> size <= 16L << 30, size -> 2 * size)
        .mapToObj(size -> of(size, codec, blockSize))
        .toList();
  }

  static CurvePoint of(long size, String codec, long blockSize) {
    StripeShape shape = Codecs.parse(codec).shape();
    int k = shape.dataUnits();
    int m = shape.parityUnits();
    long blocks = ceil(size, blockSize);
    long parity = new CodecEstimate().parityBytes(codec, size, blockSize);
    boolean pays = size + parity < COPIES * size;
    double alone = pays ? (double) (size + parity) / size : COPIES;
    double objectsAlone = 1 + blocks + (pays ? 1 + ceil(blocks, k) * m : 0);

    Group group = Group.of(size, blocks, codec, blockSize);
    boolean shares = blocks < k;
    double files = PETABYTE / size;
    return new CurvePoint(
        size,
        COPIES,
        striped(size, 64L << 10, k, m),
        striped(size, 1L << 20, k, m),
        alone,
        shares ? Math.min(COPIES, group.perByte()) : alone,
        Math.round(files * (1 + blocks)),
        Math.round(files * (1 + ceil(size, k * blockSize))),
        Math.round(files * objectsAlone),
        Math.round(files * (shares ? 1 + blocks + group.objectsPerFile(m) : objectsAlone)));
  }

  /** Full stripes of cells cost m/k; in the last one parity is as long as its longest cell. */
  private static double striped(long size, long cell, int k, int m) {
    long full = size / (k * cell);
    long rest = size % (k * cell);
    return (double) (size + m * (full * cell + Math.min(cell, rest))) / size;
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** A full group of files of one size. */
  private record Group(long files, long stripes, double perByte) {
    static Group of(long size, long blocks, String codec, long blockSize) {
      int k = Codecs.parse(codec).shape().dataUnits();
      long files = Math.max(1, MOST_STRIPES * k / blocks);
      List<FileFacts> alike =
          LongStream.range(0, files)
              .mapToObj(
                  inode ->
                      FileFacts.of("/f" + inode, inode, size, blockSize, COPIES, Instant.EPOCH))
              .toList();
      long parity = GroupPlan.parityBytes(alike.get(0), alike, new Protection(codec, 1, 1));
      return new Group(files, ceil(files * blocks, k), (double) (size + parity) / size);
    }

    double objectsPerFile(int m) {
      return (1.0 + stripes * m) / files;
    }
  }
}
