// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.Consistency.Verdict;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One codec, with its caches, in the hands of many threads, while kernels come and go. */
class ConcurrentUseTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 40;

  @AfterEach
  void otherTestsUseTheKernelThatEverybodyHas() throws KernelUnavailableException {
    CodingKernels.force("portable");
  }

  @Test
  void everyThreadGetsWhatItWouldGetAlone() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int seed = thread;
        running.add(threads.submit(() -> work(new Random(seed))));
      }
      boolean portable = true;
      while (running.stream().anyMatch(work -> !work.isDone())) {
        CodingKernels.force(portable ? "portable" : "scalar");
        portable = !portable;
      }
      for (Future<?> work : running) {
        work.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void work(Random random) {
    for (int round = 0; round < ROUNDS; round++) {
      for (String name : List.of("rs-6-3", "lrc-azure-6-2-2", "less-6-3", "crs-good-6-3")) {
        ErasureCodec codec = Codecs.parse(name);
        int[] lengths = random.ints(codec.shape().dataUnits(), 0, 700).toArray();
        Stripe stripe = Stripe.encode(codec, 100, random, lengths);
        UnitSet all = UnitSet.all(codec.shape());
        UnitSet lost = UnitSet.of(random.ints(codec.furtherLosses(UnitSet.none()), 0, all.size()));
        RebuildRecipe recipe = codec.recipe(lost, all.minus(lost), ReadCost.UNIFORM).orElseThrow();
        stripe.assertRebuiltBy(recipe, "%s lost %s".formatted(name, lost));
        int wrong = random.nextInt(all.size());
        ByteBuffer[] row = firstRow(codec, stripe);
        assertThat(codec.verify(row).verdict()).isEqualTo(Verdict.CODEWORD);
        row[wrong].put(0, (byte) ~row[wrong].get(0));
        assertThat(codec.verify(row).suspects()).as(name).isEqualTo(UnitSet.of(wrong));
      }
    }
  }

  private static ByteBuffer[] firstRow(ErasureCodec codec, Stripe stripe) {
    int length = stripe.layout().subUnits() * stripe.layout().chunkLength(0, stripe.length());
    return IntStream.range(0, codec.shape().units())
        .mapToObj(unit -> ByteBuffer.wrap(Arrays.copyOf(stripe.unit(unit), length)))
        .toArray(ByteBuffer[]::new);
  }
}
