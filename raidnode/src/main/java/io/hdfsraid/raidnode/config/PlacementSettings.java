// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.DataSize;
import io.dropwizard.util.DataSizeUnit;
import io.dropwizard.validation.MaxDataSize;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/**
 * How units that share a node or crowd a rack are moved between DataNodes, and how fast all stripes
 * are audited.
 *
 * @param concurrentMoves units moved at the same time in the whole cluster; default 8
 * @param concurrentMovesPerDataNode units that one DataNode sends or receives at the same time;
 *     default 2
 * @param bytesPerSecond bytes per second of all moves together; default 100 MB, 0 for no limit
 * @param bytesPerSecondPerDataNode bytes per second that one DataNode sends and receives for moves;
 *     default 20 MB, 0 for no limit
 * @param auditFilesPerSecond files per second that the scheduled audit checks, each with two calls
 *     to the NameNode; default 50
 * @param triggerBlockReports what to do if the NameNode drops no excess replicas before DataNodes
 *     have reported, as after a failover; default ask
 */
public record PlacementSettings(
    @Min(1) @Max(1_000) Integer concurrentMoves,
    @Min(1) @Max(100) Integer concurrentMovesPerDataNode,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @Min(1) @Max(100_000) Integer auditFilesPerSecond,
    BlockReportRule triggerBlockReports) {
  public PlacementSettings {
    concurrentMoves = requireNonNullElse(concurrentMoves, 8);
    concurrentMovesPerDataNode = requireNonNullElse(concurrentMovesPerDataNode, 2);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(100));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(20));
    auditFilesPerSecond = requireNonNullElse(auditFilesPerSecond, 50);
    triggerBlockReports = requireNonNullElse(triggerBlockReports, BlockReportRule.ASK);
  }
}
