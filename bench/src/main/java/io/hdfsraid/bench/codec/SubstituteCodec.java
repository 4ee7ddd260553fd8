// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A codec under the name of another one, of which it replaces one operation. */
abstract class SubstituteCodec implements ErasureCodec {
  private final ErasureCodec same;

  SubstituteCodec(ErasureCodec same) {
    this.same = same;
  }

  @Override
  public String name() {
    return same.name();
  }

  @Override
  public StripeShape shape() {
    return same.shape();
  }

  @Override
  public RowLayout layout() {
    return same.layout();
  }

  @Override
  public long parityLength(long longest) {
    return same.parityLength(longest);
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    same.encode(data, parity);
  }

  @Override
  public Consistency verify(ByteBuffer[] units) {
    return same.verify(units);
  }

  @Override
  public Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost) {
    return same.recipe(lost, available, cost);
  }

  @Override
  public int furtherLosses(UnitSet lost) {
    return same.furtherLosses(lost);
  }
}
