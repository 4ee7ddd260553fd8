package io.hdfsraid.offline.demo;

import io.hdfsraid.erasurecode.ErasureCodec;

/** What the demo is to show. */
record DemoSettings(ErasureCodec codec, int dataNodes, DataSet data) {
  static final int RACKS = 5;
  static final int MOST_DATA_NODES = 128;

  /** Enough to spread a stripe, to lose two nodes and to have a choice after that. */
  static int usualDataNodes(ErasureCodec codec) {
    return Math.min(MOST_DATA_NODES, Math.max(20, codec.shape().units() + 6));
  }
}
