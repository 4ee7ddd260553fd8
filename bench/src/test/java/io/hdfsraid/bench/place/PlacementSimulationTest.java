// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.bench.place.PlacementSimulation.Figures;
import io.hdfsraid.bench.place.PlacementSimulation.Keeper;
import io.hdfsraid.bench.place.PlacementSimulation.Stripes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What composing stripes and foreseeing the NameNode's choice bring, on simulated clusters. The
 * table of {@code docs/placement.md} is printed by {@code ./mvnw -pl bench -am test
 * -Dtest=PlacementSimulationTest -Dsurefire.failIfNoSpecifiedTests=false} into {@code
 * bench/target/placement-figures.txt}.
 */
class PlacementSimulationTest {
  private static final Path FIGURES = Path.of("target", "placement-figures.txt");

  @Test
  @Tag("full")
  void composedStripesNeedFewerMovesAndDataStaysSpread() throws IOException {
    List<String> lines = new ArrayList<>(List.of(Figures.HEADINGS));
    Map<String, List<Figures>> both = new LinkedHashMap<>();
    for (int[] size : new int[][] {{20, 5}, {100, 20}, {500, 25}}) {
      for (Keeper keeper : Keeper.values()) {
        PlacementSimulation simulation = new PlacementSimulation(size[0], size[1], 12, 300, 42);
        Figures inOrder = simulation.run(keeper, Stripes.IN_ORDER);
        Figures composed = simulation.run(keeper, Stripes.COMPOSED);
        lines.add(inOrder.line());
        lines.add(composed.line());
        both.put("%s, %s".formatted(inOrder.cluster(), keeper), List.of(inOrder, composed));
      }
    }
    Files.createDirectories(FIGURES.getParent());
    Files.write(FIGURES, lines);

    both.forEach((as, pair) -> compare(as, pair.get(0), pair.get(1)));
  }

  private static void compare(String as, Figures inOrder, Figures composed) {
    double saved = composed.keeper() == Keeper.FREE_SPACE ? 0.6 : 1.05;
    assertThat(composed.movesPerStripe())
        .as(as)
        .isLessThanOrEqualTo(saved * inOrder.movesPerStripe());
    assertThat(composed.crossRackMovesPerStripe())
        .as(as)
        .isLessThanOrEqualTo(saved * inOrder.crossRackMovesPerStripe());
    if (composed.keeper() != Keeper.CHANCE) { // by chance a few blocks on each node prove nothing
      assertThat(composed.dataSkewAfter()).as(as).isLessThan(1.3 * composed.dataSkewBefore());
      assertThat(composed.totalSkewAfter()).as(as).isLessThan(1.3 * composed.dataSkewBefore());
    }
    assertThat(composed.manifestBytesPerUnit()).as(as).isLessThan(9.5);
  }
}
