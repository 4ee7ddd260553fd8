// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.status.AccessSource;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.recency.auditlog.AuditLog;
import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.source.AccessTimeSource;
import java.util.Locale;

/** Advice for problems of the sources of accesses. */
final class SourceAdvice {
  private SourceAdvice() {}

  static Problem problem(AccessSource source) {
    return new Problem(
        "SOURCE_" + source.name().toUpperCase(Locale.ROOT), source.problem(), of(source.name()));
  }

  private static String of(String source) {
    return switch (source) {
      case AccessTimeSource.SOURCE ->
          "Set dfs.namenode.accesstime.precision on the NameNodes, and let this user read their"
              + " /conf. Until then no file is raided by access times.";
      case AuditLog.SOURCE ->
          "Compare recency.auditLogs in raidnode.yml with the logs of all NameNodes, the standby"
              + " too, and check that their logs still arrive here. If a NameNode is gone for"
              + " good, name the logs of the others without '*'.";
      case EditLogFollower.SOURCE ->
          "If the NameNodes answer, this user must be their superuser. The next image makes up"
              + " for missed edits; 'raidshell status' shows when it was read.";
      default ->
          "See the log of the RaidNode. Without an image every directory is listed, which"
              + " costs the NameNode more.";
    };
  }
}
