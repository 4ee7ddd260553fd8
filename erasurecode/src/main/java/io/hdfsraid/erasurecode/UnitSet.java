// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import java.util.BitSet;
import java.util.Collection;
import java.util.stream.IntStream;

/**
 * An immutable set of units of a stripe, iterated in ascending order. Prints as {@code {0, 1, 8}}.
 */
public final class UnitSet {
  private static final UnitSet NONE = new UnitSet(new BitSet());

  private final BitSet units;

  private UnitSet(BitSet units) {
    this.units = units;
  }

  public static UnitSet none() {
    return NONE;
  }

  /**
   * The set of the given units.
   *
   * @throws IllegalArgumentException when a unit is negative or not below {@link
   *     StripeShape#MAX_UNITS}
   */
  public static UnitSet of(int... units) {
    return of(IntStream.of(units));
  }

  public static UnitSet of(Collection<Integer> units) {
    return of(units.stream().mapToInt(Integer::intValue));
  }

  public static UnitSet of(IntStream units) {
    BitSet bits = new BitSet();
    units.forEach(
        unit -> {
          if (unit < 0 || unit >= StripeShape.MAX_UNITS) {
            throw new IllegalArgumentException(
                "Units are numbered 0 to %d, but got %d"
                    .formatted(StripeShape.MAX_UNITS - 1, unit));
          }
          bits.set(unit);
        });
    return new UnitSet(bits);
  }

  /** {@code from} (inclusive) to {@code to} (exclusive). */
  public static UnitSet range(int from, int to) {
    return of(IntStream.range(from, to));
  }

  public static UnitSet all(StripeShape shape) {
    return range(0, shape.units());
  }

  public boolean contains(int unit) {
    return unit >= 0 && units.get(unit);
  }

  public boolean containsAll(UnitSet other) {
    return other.minus(this).isEmpty();
  }

  public boolean intersects(UnitSet other) {
    return units.intersects(other.units);
  }

  public int size() {
    return units.cardinality();
  }

  public boolean isEmpty() {
    return units.isEmpty();
  }

  public IntStream stream() {
    return units.stream();
  }

  public int[] toArray() {
    return stream().toArray();
  }

  public UnitSet with(int unit) {
    return plus(of(unit));
  }

  public UnitSet without(int unit) {
    return minus(of(unit));
  }

  public UnitSet plus(UnitSet other) {
    BitSet bits = (BitSet) units.clone();
    bits.or(other.units);
    return new UnitSet(bits);
  }

  public UnitSet minus(UnitSet other) {
    BitSet bits = (BitSet) units.clone();
    bits.andNot(other.units);
    return new UnitSet(bits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnitSet that && units.equals(that.units);
  }

  @Override
  public int hashCode() {
    return units.hashCode();
  }

  @Override
  public String toString() {
    return units.toString();
  }
}
