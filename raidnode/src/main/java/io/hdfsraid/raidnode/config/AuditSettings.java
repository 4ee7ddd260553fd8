// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.DataSize;
import io.dropwizard.util.DataSizeUnit;
import io.dropwizard.validation.MaxDataSize;
import io.dropwizard.validation.MinDataSize;
import io.hdfsraid.raidnode.audit.AuditArchive;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/**
 * How much of the audit is kept on HDFS, below the root.
 *
 * @param onHdfs whether it is kept there; default true
 * @param fileSize size from which on a new file is begun; default 4 MB
 * @param files most files of each of its two series; default 500
 */
public record AuditSettings(
    Boolean onHdfs,
    @MinDataSize(value = 64, unit = DataSizeUnit.KILOBYTES)
        @MaxDataSize(value = 64, unit = DataSizeUnit.MEGABYTES)
        DataSize fileSize,
    @Min(2) @Max(100_000) Integer files) {
  /** Some 10,000 lines. */
  private static final long WAITING_BYTES = 4_000_000;

  public AuditSettings {
    onHdfs = requireNonNullElse(onHdfs, true);
    fileSize = requireNonNullElse(fileSize, DataSize.megabytes(4));
    files = requireNonNullElse(files, 500);
  }

  public static AuditSettings defaults() {
    return new AuditSettings(null, null, null);
  }

  public AuditArchive.Limits limits() {
    return new AuditArchive.Limits(fileSize.toBytes(), files, WAITING_BYTES);
  }
}
