// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.scale;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;

/**
 * A cluster on paper. Rates are in bytes per second, and everything is spread evenly.
 *
 * @param racks of equal size
 * @param bytesPerNode bytes that a node holds, all of them units of stripes
 * @param nodeRate what repairs may use of the link of a node, in each direction
 * @param rackRate what repairs may use of the link of a rack, in each direction
 */
record ScaledCluster(int nodes, int racks, double bytesPerNode, double nodeRate, double rackRate) {

  /** Returns the mean number of units that are read to rebuild one, each lost alone. */
  static double reads(ErasureCodec codec) {
    return CodecFacts.of(codec).averageReads();
  }

  /** Returns the bytes that are read when a node is lost. */
  double readForNode(ErasureCodec codec) {
    return bytesPerNode * reads(codec);
  }

  /** Returns the seconds until all units of a lost node are rebuilt on the others. */
  double secondsForNode(ErasureCodec codec) {
    return seconds(codec, bytesPerNode, nodes - 1, racks);
  }

  /** Returns the seconds until all units of a lost rack are rebuilt on the others. */
  double secondsForRack(ErasureCodec codec) {
    int perRack = nodes / racks;
    return seconds(codec, bytesPerNode * perRack, nodes - perRack, racks - 1);
  }

  /**
   * Each survivor sends and receives an even share. Helpers, repairers and targets are anywhere, so
   * all but one in as many transfers as there are racks cross racks.
   */
  private double seconds(ErasureCodec codec, double lost, int survivors, int racksLeft) {
    double transferred = lost * (reads(codec) + 1); // read by the repairer, and written
    double crossing = transferred * (racksLeft - 1) / racksLeft;
    return Math.max(transferred / (survivors * nodeRate), crossing / (racksLeft * rackRate));
  }
}
