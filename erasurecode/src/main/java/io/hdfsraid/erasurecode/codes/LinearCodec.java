// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.codes.LinearCode.EncodingStep;
import io.hdfsraid.erasurecode.kernel.PreparedMatrix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** The codec of any {@link LinearCode}. */
final class LinearCodec implements ErasureCodec {
  /**
   * Chunks of all recipes that are remembered: wide codes have larger recipes, so fewer of them.
   */
  private static final int CACHED_CHUNKS = 64 * 1024;

  private static final int CACHED_TOLERANCES = 4096;
  private static final int CACHED_CHECKS = 16;

  // Several steps are carried out piece by piece: what one of them has read or computed, the next
  // finds in the cache. Measured in turn with whole rows, for LESS and Hitchhiker: 1.05 to 1.18
  // times as fast with every kernel for rows of 4 MiB on the heap, as the daemon has them; but 0.9
  // times with ISA-L for direct buffers of 1 MiB.
  private static final int PIECE = 24 * 1024;

  private final LinearCode code;
  private final List<Step> steps;
  private final BoundedCache<Question, Optional<RebuildRecipe>> recipes;
  private final BoundedCache<UnitSet, CodewordCheck> checks = new BoundedCache<>(CACHED_CHECKS);
  private final BoundedCache<UnitSet, Integer> furtherLosses =
      new BoundedCache<>(CACHED_TOLERANCES);

  LinearCodec(LinearCode code) {
    this.code = code;
    this.recipes = new BoundedCache<>(Math.max(CACHED_CHECKS, CACHED_CHUNKS / code.chunks()));
    this.steps = code.steps().stream().map(Step::new).toList();
  }

  LinearCode code() {
    return code;
  }

  @Override
  public String name() {
    return code.name();
  }

  @Override
  public String source() {
    return code.source();
  }

  @Override
  public StripeShape shape() {
    return code.shape();
  }

  @Override
  public RowLayout layout() {
    return code.layout();
  }

  @Override
  public long parityLength(long longest) {
    if (longest < 0) {
      throw new IllegalArgumentException("A unit cannot have %d bytes".formatted(longest));
    }
    long beyond = longest % subUnits();
    return beyond == 0 ? longest : Math.addExact(longest, subUnits() - beyond);
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    if (data.length != shape().dataUnits() || parity.length != shape().parityUnits()) {
      throw new IllegalArgumentException(
          "%s encodes %d units into %d, but got %d and %d buffers"
              .formatted(
                  name(), shape().dataUnits(), shape().parityUnits(), data.length, parity.length));
    }
    Buffers.check(data, parity);
    checkCut(parity);
    ByteBuffer[] units = Arrays.copyOf(data, shape().units());
    System.arraycopy(parity, 0, units, data.length, parity.length);
    ByteBuffer[] chunks = chunks(units);
    int length = chunks[0].remaining();
    int piece = steps.size() > 1 ? Math.min(PIECE, length) : length;
    for (int from = 0; from < length; from += piece) {
      ByteBuffer[] part = part(chunks, from, Math.min(piece, length - from));
      steps.forEach(step -> step.carryOut(part));
    }
  }

  private static ByteBuffer[] part(ByteBuffer[] chunks, int from, int length) {
    if (length == chunks[0].remaining()) {
      return chunks;
    }
    ByteBuffer[] part = new ByteBuffer[chunks.length];
    for (int i = 0; i < part.length; i++) {
      part[i] = chunks[i].slice(chunks[i].position() + from, length);
    }
    return part;
  }

  private void checkCut(ByteBuffer[] units) {
    if (units.length > 0 && units[0].remaining() % subUnits() != 0) {
      throw new IllegalArgumentException(
          "A row of %s is cut into %d chunks, which %d bytes cannot be"
              .formatted(name(), subUnits(), units[0].remaining()));
    }
  }

  /** Each unit cut into its α chunks. */
  private ByteBuffer[] chunks(ByteBuffer[] units) {
    if (subUnits() == 1) {
      return units;
    }
    ByteBuffer[] chunks = new ByteBuffer[units.length * subUnits()];
    for (int i = 0; i < chunks.length; i++) {
      ByteBuffer unit = units[i / subUnits()];
      int length = unit.remaining() / subUnits();
      chunks[i] = unit.slice(unit.position() + i % subUnits() * length, length);
    }
    return chunks;
  }

  @Override
  public Consistency verify(ByteBuffer[] units) {
    if (units.length != shape().units()) {
      throw new IllegalArgumentException(
          "%s has %d units, but got %d buffers".formatted(name(), shape().units(), units.length));
    }
    UnitSet present = UnitSet.of(IntStream.range(0, units.length).filter(i -> units[i] != null));
    ByteBuffer[] given = Arrays.stream(units).filter(Objects::nonNull).toArray(ByteBuffer[]::new);
    Buffers.checkSameRemaining(units);
    checkCut(given);
    return checks.get(present, set -> new CodewordCheck(code, set)).check(chunks(given));
  }

  @Override
  public Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost) {
    checkUnits(lost);
    checkUnits(available);
    if (lost.intersects(available)) {
      throw new IllegalArgumentException(
          "Units cannot be both lost %s and available %s".formatted(lost, available));
    }
    double[] prices = available.stream().mapToDouble(unit -> price(unit, cost)).toArray();
    // Most of the time all units cost the same, whatever that is.
    boolean uniform = Arrays.stream(prices).allMatch(price -> price == prices[0]);
    Question question =
        new Question(lost, available, uniform ? List.of() : Arrays.stream(prices).boxed().toList());
    return recipes.get(question, this::plan);
  }

  private static double price(int unit, ReadCost cost) {
    double perByte = cost.perByte(unit);
    if (!(perByte > 0 && perByte < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "Reading must cost more than 0 and less than infinity, but unit %d costs %s"
              .formatted(unit, perByte));
    }
    return perByte;
  }

  private Optional<RebuildRecipe> plan(Question question) {
    List<Integer> chunks =
        question.lost.stream()
            .flatMap(unit -> IntStream.range(unit * subUnits(), (unit + 1) * subUnits()))
            .boxed()
            .toList();
    return plan(chunks, question).map(recipe -> recipe);
  }

  private Optional<LinearRecipe> plan(List<Integer> wanted, Question question) {
    return RecipePlanner.cheapest(code, wanted, question.available, question.cost())
        .map(weights -> recipe(weights, question));
  }

  private LinearRecipe recipe(SortedMap<Integer, int[]> weights, Question question) {
    List<Chunk> all = IntStream.range(0, code.chunks()).mapToObj(this::chunk).toList();
    return new LinearRecipe(
        subUnits(),
        weights.keySet().stream().map(this::chunk).toList(),
        all,
        CodingMatrix.of(code.chunks(), weights.values().toArray(int[][]::new)),
        question.cost(),
        wanted -> plan(wanted.stream().map(this::number).toList(), question).orElseThrow());
  }

  private int number(Chunk chunk) {
    return chunk.unit() * subUnits() + chunk.subUnit();
  }

  private Chunk chunk(int number) {
    return new Chunk(number / subUnits(), number % subUnits());
  }

  @Override
  public int furtherLosses(UnitSet lost) {
    checkUnits(lost);
    return furtherLosses.get(lost, pattern -> LossTolerance.furtherLosses(code, pattern));
  }

  private void checkUnits(UnitSet units) {
    if (!UnitSet.all(shape()).containsAll(units)) {
      throw new IllegalArgumentException(
          "%s has units 0 to %d, but got %s".formatted(name(), shape().units() - 1, units));
    }
  }

  @Override
  public String toString() {
    return name();
  }

  /**
   * @param prices of the available units in ascending order; none when all are the same
   */
  private record Question(UnitSet lost, UnitSet available, List<Double> prices) {
    ReadCost cost() {
      if (prices.isEmpty()) {
        return ReadCost.UNIFORM;
      }
      int[] units = available.toArray();
      return unit -> prices.get(Arrays.binarySearch(units, unit));
    }
  }

  /** An {@link EncodingStep} that is carried out again and again. */
  private static final class Step {
    private final int[] inputs;
    private final int[] outputs;
    private final PreparedMatrix weights;

    Step(EncodingStep step) {
      this.inputs = step.inputs().stream().mapToInt(Integer::intValue).toArray();
      this.outputs = step.outputs().stream().mapToInt(Integer::intValue).toArray();
      this.weights = new PreparedMatrix(step.weights());
    }

    void carryOut(ByteBuffer[] chunks) {
      weights.multiply(pick(chunks, inputs), pick(chunks, outputs));
    }

    private static ByteBuffer[] pick(ByteBuffer[] chunks, int[] numbers) {
      ByteBuffer[] picked = new ByteBuffer[numbers.length];
      for (int i = 0; i < picked.length; i++) {
        picked[i] = chunks[numbers[i]];
      }
      return picked;
    }
  }
}
