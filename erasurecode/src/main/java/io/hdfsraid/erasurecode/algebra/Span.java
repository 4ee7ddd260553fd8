// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The space spanned by vectors over GF(2^8), grown one vector at a time by Gauss elimination. It
 * records how each reduced vector was computed, so it can express any vector of the space as a sum
 * of the added vectors. Not safe for concurrent use.
 */
public final class Span {
  private final int dimension;
  private final List<Reduced> basis = new ArrayList<>();

  public Span(int dimension) {
    this.dimension = dimension;
  }

  /** Whether the vector was independent of those added before; only then is it added. */
  public boolean add(int[] vector) {
    Reduced rest = reduce(vector);
    int pivot = rest.firstNonZero();
    if (pivot < 0) {
      return false;
    }
    rest.weights[basis.size()] = 1;
    int scale = Gf256.inverse(rest.vector[pivot]);
    Gf256.scale(rest.vector, scale);
    Gf256.scale(rest.weights, scale);
    basis.add(new Reduced(rest.vector, rest.weights, pivot));
    return true;
  }

  /** How many independent vectors were added. */
  public int rank() {
    return basis.size();
  }

  /** Forgets the independent vectors added last, until {@code rank} are left. */
  public void truncate(int rank) {
    basis.subList(rank, basis.size()).clear();
  }

  public boolean contains(int[] vector) {
    return reduce(vector).firstNonZero() < 0;
  }

  /**
   * One weight for each vector that was added, in order, so that their weighted sum is {@code
   * vector}; these weights are unique. Empty when the vector lies outside.
   */
  public Optional<int[]> express(int[] vector) {
    Reduced rest = reduce(vector);
    return rest.firstNonZero() < 0
        ? Optional.of(Arrays.copyOf(rest.weights, basis.size()))
        : Optional.empty();
  }

  private Reduced reduce(int[] vector) {
    int[] rest = vector.clone();
    int[] weights = new int[dimension];
    for (Reduced one : basis) {
      int factor = rest[one.pivot];
      Gf256.addMultiple(rest, factor, one.vector);
      Gf256.addMultiple(weights, factor, one.weights);
    }
    return new Reduced(rest, weights, -1);
  }

  /** {@code vector} = the sum of {@code weights} times the added vectors. */
  private static final class Reduced {
    final int[] vector;
    final int[] weights;
    final int pivot;

    Reduced(int[] vector, int[] weights, int pivot) {
      this.vector = vector;
      this.weights = weights;
      this.pivot = pivot;
    }

    int firstNonZero() {
      for (int i = 0; i < vector.length; i++) {
        if (vector[i] != 0) {
          return i;
        }
      }
      return -1;
    }
  }
}
