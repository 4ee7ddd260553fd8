// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.measure.Task;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a codec again and again for the recipes of all single and double losses. */
final class PlanningTask implements Task {
  private final String name;
  private final ErasureCodec codec;
  private final List<UnitSet> lost = new ArrayList<>();
  private final List<UnitSet> available = new ArrayList<>();
  private final List<Optional<RebuildRecipe>> recipes = new ArrayList<>();

  PlanningTask(String name, ErasureCodec codec) {
    this.name = name;
    this.codec = codec;
    int units = codec.shape().units();
    for (int one = 0; one < units; one++) {
      add(UnitSet.of(one));
      for (int two = one + 1; two < units && codec.shape().parityUnits() > 1; two++) {
        add(UnitSet.of(one, two));
      }
    }
  }

  private void add(UnitSet pattern) {
    lost.add(pattern);
    available.add(UnitSet.all(codec.shape()).minus(pattern));
  }

  @Override
  public String name() {
    return name;
  }

  /** Plans. */
  @Override
  public double amount() {
    return lost.size();
  }

  @Override
  public void run() {
    recipes.clear();
    for (int i = 0; i < lost.size(); i++) {
      recipes.add(codec.recipe(lost.get(i), available.get(i), ReadCost.UNIFORM));
    }
  }

  @Override
  public Optional<String> fault() {
    for (int i = 0; i < lost.size(); i++) {
      UnitSet pattern = lost.get(i);
      if (recipes.get(i).filter(recipe -> recipe.lost().equals(pattern)).isEmpty()) {
        return Optional.of("the recipe for %s is %s".formatted(pattern, recipes.get(i)));
      }
    }
    return Optional.empty();
  }
}
