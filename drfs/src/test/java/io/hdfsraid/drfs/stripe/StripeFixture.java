// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;

/** An in-memory cluster of 20 nodes, and what the tests of encoding and rebuilding share. */
abstract class StripeFixture {
  final InMemoryCluster cluster = new InMemoryCluster(20, 5, 1);
  final Threads threads = new Threads();
  final StripeRebuilder rebuilder =
      new StripeRebuilder(cluster, threads, LocatedBlock::live, RowMemory.UNLIMITED);

  @AfterEach
  void nothingIsLeftOpenOrRunning() throws InterruptedException {
    assertThat(cluster.openInputs()).isZero();
    threads.awaitEnd();
  }

  /** The bytes of a unit as they are on the disk of its first node; none for an absent unit. */
  byte[] onDisk(StripeUnit unit) throws IOException {
    if (unit.located().isEmpty()) {
      return new byte[0];
    }
    LocatedBlock located = unit.located().get();
    ByteBuffer bytes = ByteBuffer.allocate((int) unit.length());
    try (var input = cluster.open(located.block(), located.live().get(0), 0, unit.length())) {
      input.readFully(bytes);
    }
    return bytes.array();
  }

  /** Sinks that collect the bytes of the lost units. */
  static Map<Integer, UnitSink> sinks(Map<Integer, ByteArrayOutputStream> into, UnitSet lost) {
    Map<Integer, UnitSink> sinks = new TreeMap<>();
    for (int unit : lost.toArray()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      into.put(unit, bytes);
      sinks.put(
          unit,
          buffer -> {
            byte[] copy = new byte[buffer.remaining()];
            buffer.get(copy);
            bytes.write(copy);
          });
    }
    return sinks;
  }

  static Optional<RebuildRecipe> recipe(LocatedStripe stripe, UnitSet lost) {
    return stripe
        .codec()
        .recipe(lost, stripe.available().minus(lost), stripe.cost(ReadCost.UNIFORM));
  }

  static long totalBytes(HelperReads reads) {
    return reads.bytes().values().stream().mapToLong(Long::longValue).sum();
  }
}
