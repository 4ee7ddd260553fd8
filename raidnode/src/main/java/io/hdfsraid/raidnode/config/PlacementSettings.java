package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.DataSize;
import io.dropwizard.util.DataSizeUnit;
import io.dropwizard.validation.MaxDataSize;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/**
 * How units are moved that share a node or crowd a rack, DataNode to DataNode, and how fast all
 * stripes are audited.
 *
 * @param moves units moved at once, the whole cluster; default 8
 * @param movesPerDataNode of which one DataNode takes part in, as source or target; default 2
 * @param bytesPerSecond moved, all moves together; default 100 MB, 0 for no limit
 * @param bytesPerSecondPerDataNode that any one DataNode sends and receives for it; default 20 MB,
 *     0 for no limit
 * @param auditFilesPerSecond files that the scheduled audit looks at in a second: each costs the
 *     NameNode two look-ups; default 50
 */
public record PlacementSettings(
    @Min(1) @Max(1_000) Integer moves,
    @Min(1) @Max(100) Integer movesPerDataNode,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @Min(1) @Max(100_000) Integer auditFilesPerSecond) {
  public PlacementSettings {
    moves = requireNonNullElse(moves, 8);
    movesPerDataNode = requireNonNullElse(movesPerDataNode, 2);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(100));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(20));
    auditFilesPerSecond = requireNonNullElse(auditFilesPerSecond, 50);
  }
}
