// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.CodecFacts.UnitRepair;
import io.hdfsraid.erasurecode.RepairCost;
import java.util.List;

/**
 * The properties of one codec, as JSON for programs.
 *
 * @param subUnits α
 * @param chunk c, in bytes
 * @param overhead bytes stored per byte of data
 * @param units k + m: as many nodes are needed
 * @param rowMemory bytes of memory for a stripe in work
 * @param readsByUnit blocks read to rebuild each unit when nothing else is lost
 * @param helpersByUnit from how many units
 * @param repairs by the number of losses; left out where many codecs are listed, as it takes
 *     seconds to plan all those repairs
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record CodecSheet(
    String name,
    int dataUnits,
    int parityUnits,
    int subUnits,
    int chunk,
    double overhead,
    int units,
    int racks,
    int lossesBorne,
    int distance,
    long rowMemory,
    List<Double> readsByUnit,
    List<Integer> helpersByUnit,
    double averageReads,
    List<RepairCost> repairs,
    String source) {

  static CodecSheet of(CodecFacts facts, List<RepairCost> repairs) {
    return new CodecSheet(
        facts.name(),
        facts.shape().dataUnits(),
        facts.shape().parityUnits(),
        facts.layout().subUnits(),
        facts.layout().chunk(),
        facts.overhead(),
        facts.units(),
        facts.racks(),
        facts.lossesBorne(),
        facts.distance(),
        facts.rowMemory(),
        facts.readsByUnit(),
        facts.repairs().stream().map(UnitRepair::helpers).toList(),
        facts.averageReads(),
        repairs,
        facts.source());
  }
}
