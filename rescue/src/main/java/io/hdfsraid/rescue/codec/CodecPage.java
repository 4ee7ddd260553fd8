// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.CodecFacts.UnitRepair;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RepairCost;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidshell.command.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The properties of one codec, as text for people.
 *
 * @param repairs by the number of lost units
 */
record CodecPage(CodecFacts facts, List<RepairCost> repairs) {

  static CodecPage of(ErasureCodec codec) {
    return new CodecPage(CodecFacts.of(codec), RepairCost.ofAll(codec));
  }

  void show(Screen screen) {
    int data = facts.shape().dataUnits();
    screen.line("%s: %s".formatted(facts.name(), facts.source()));
    screen.line(
        String.format(
            Locale.ROOT,
            "%d data units, %d parity units; %.2f bytes stored per byte of data",
            data,
            facts.shape().parityUnits(),
            facts.overhead()));
    screen.line("Distance %d: any %d may be lost".formatted(facts.distance(), facts.lossesBorne()));
    screen.line(
        "%d nodes, one for each unit; %d racks, so that none holds more than %d units"
            .formatted(facts.units(), facts.racks(), facts.lossesBorne()));
    screen.line(
        "Rows of %d chunks (α) of %s; %s of memory for a stripe in work"
            .formatted(
                facts.layout().subUnits(),
                Screen.bytes(facts.layout().chunk()),
                Screen.bytes(facts.rowMemory())));
    screen.blank();
    screen.table(
        List.of("UNIT", "HOLDS", "BLOCKS READ", "HELPERS", "READ WHOLE", "READ IN PART"),
        IntStream.range(0, facts.units()).mapToObj(this::unit).toList());
    screen.blank();
    screen.table(
        List.of("LOST AT ONCE", "PATTERNS", "BLOCKS READ, MEAN"),
        repairs.stream()
            .map(
                cost ->
                    List.of(
                        Integer.toString(cost.losses()),
                        Long.toString(cost.patterns()),
                        CodecTable.number(cost.averageReads())))
            .toList());
  }

  private List<String> unit(int unit) {
    UnitRepair repair = facts.repairs().get(unit);
    return List.of(
        Integer.toString(unit),
        facts.shape().isParity(unit) ? "parity" : "data",
        CodecTable.number(repair.blocksRead()),
        Integer.toString(repair.helpers()),
        ranges(repair.whole()),
        ranges(repair.parts()));
  }

  /** 0-3, 7 */
  private static String ranges(UnitSet units) {
    List<String> ranges = new ArrayList<>();
    int[] all = units.toArray();
    int first = 0;
    for (int i = 0; i < all.length; i++) {
      if (i + 1 == all.length || all[i + 1] > all[i] + 1) {
        ranges.add(first == i ? "" + all[i] : all[first] + "-" + all[i]);
        first = i + 1;
      }
    }
    return ranges.isEmpty() ? "-" : String.join(", ", ranges);
  }
}
