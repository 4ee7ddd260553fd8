package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import java.time.ZoneId;

/**
 * When the jobs run: Quartz cron expressions (second minute hour day month weekday).
 *
 * @param timeZone of these expressions and of those in {@code policies.yml}; default UTC
 * @param scan reads the namespace, judges every file and raids the cold ones of the policies that
 *     have no schedule of their own; default every day at 02:00
 * @param integrityCheck looks at every raided file and asks the NameNode what is lost; default
 *     every hour
 * @param placementAudit looks where all units lie and moves those that share a node or crowd a
 *     rack; goes on where an earlier run was cut off; default every day at 05:30
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
