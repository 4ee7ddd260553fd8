// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.DataNode;
import java.util.List;

/** What a container is to do with one stripe. */
public sealed interface Work permits EncodeWork, RepairWork {

  /** Names whoever waits for it in its job. */
  int order();

  /** Returns the same work with another number in its job. */
  Work numbered(int number);

  /** Returns the bytes that it reads. */
  long bytes();

  /** Returns how many streams to DataNodes a container that does such work has open. */
  int streams();

  /** Returns the bytes that it reads or writes, each with the nodes from or to which it can. */
  List<Held> held();

  /** Bytes that each of these nodes holds, or is to hold. */
  record Held(List<DataNode> nodes, long bytes) {
    public Held {
      nodes = List.copyOf(nodes);
    }
  }
}
