package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.Problem;
import io.hdfsraid.raidapi.SourceView;
import io.hdfsraid.raidnode.recency.AtimeSource;
import io.hdfsraid.raidnode.recency.EditLogFollower;
import io.hdfsraid.raidnode.recency.audit.AuditLog;
import java.util.Locale;

/** What to do when a source of accesses has a problem. */
final class SourceAdvice {
  private SourceAdvice() {}

  static Problem problem(SourceView source) {
    return new Problem(
        "SOURCE_" + source.name().toUpperCase(Locale.ROOT), source.problem(), of(source.name()));
  }

  private static String of(String source) {
    return switch (source) {
      case AtimeSource.SOURCE ->
          "Set dfs.namenode.accesstime.precision on the NameNodes, and let this user read their"
              + " /conf; until then nothing is raided by access times.";
      case AuditLog.SOURCE ->
          "Compare recency.auditLogs in raidnode.yml with where all NameNodes write, the standby"
              + " too, and with what still sends their logs here. Of a NameNode that is gone for"
              + " good, name the others' logs without '*'.";
      case EditLogFollower.SOURCE ->
          "If the NameNodes answer, this user must be their superuser. What was missed is made up"
              + " for by the next image; 'raidshell status' shows when that was.";
      default ->
          "See the log of the RaidNode. While no image can be had, every directory is listed, which"
              + " costs the NameNode more.";
    };
  }
}
