// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import java.util.List;

/**
 * The same byte range of every chunk of one row, and the recipe that rebuilds the wanted chunks.
 *
 * @param from first byte in each chunk
 * @param to end in each chunk, exclusive
 * @param wanted the outputs of the recipe, in ascending order
 */
record RowSlice(long row, int from, int to, List<Chunk> wanted, RebuildRecipe recipe) {
  int length() {
    return to - from;
  }
}
