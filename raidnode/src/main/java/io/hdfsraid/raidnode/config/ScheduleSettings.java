// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import java.time.ZoneId;

/**
 * When the jobs run, as Quartz cron expressions (second minute hour day month weekday).
 *
 * @param timeZone time zone of these expressions and of those in {@code policies.yml}; default UTC
 * @param scan reads the namespace, evaluates every file and raids the cold files of policies
 *     without a schedule of their own; default every day at 02:00
 * @param integrityCheck asks the NameNode for lost units of every raided file; default every hour
 * @param placementAudit finds and moves units that share a node or crowd a rack, and continues an
 *     interrupted run; default every day at 05:30
 * @param cleanUp removes drafts and old history; default every day at 04:30
 */
public record ScheduleSettings(
    ZoneId timeZone, String scan, String integrityCheck, String placementAudit, String cleanUp) {
  public ScheduleSettings {
    timeZone = requireNonNullElse(timeZone, ZoneId.of("UTC"));
    scan = requireNonNullElse(scan, "0 0 2 * * ?");
    integrityCheck = requireNonNullElse(integrityCheck, "0 0 * * * ?");
    placementAudit = requireNonNullElse(placementAudit, "0 30 5 * * ?");
    cleanUp = requireNonNullElse(cleanUp, "0 30 4 * * ?");
  }
}
