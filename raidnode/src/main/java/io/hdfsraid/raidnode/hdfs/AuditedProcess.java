// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import org.apache.hadoop.ipc.CallerContext;

/**
 * Tells daemons apart in the audit log of a NameNode that has {@code
 * hadoop.caller.context.enabled}.
 */
public final class AuditedProcess {
  private AuditedProcess() {}

  /** Names this process in the calls of this thread, and of all threads that come from it. */
  public static void name() {
    String pid = Long.toString(ProcessHandle.current().pid());
    CallerContext.setCurrent(new CallerContext.Builder("hdfs-raid-" + pid).build());
  }
}
