// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobWiring;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Does with the jobs of a daemon what {@link CrashCase.Work} names, until it is done. */
record DaemonWork(JobWiring jobs, HdfsCluster cluster, Catalog catalog) {
  /**
   * How far a daemon comes with something.
   *
   * @param ids the inode id of the file; several for what is raided together; of a group that is to
   *     be encoded again, its number
   * @param where the name of the step or of the moment
   */
  record Task(CrashCase.Work work, List<Long> ids, String where) {
    static Task parse(String text) {
      String[] parts = text.split(":", 3);
      return new Task(
          CrashCase.Work.valueOf(parts[0]),
          Stream.of(parts[1].split(",", -1)).map(Long::valueOf).toList(),
          parts[2]);
    }

    @Override
    public String toString() {
      return "%s:%s:%s"
          .formatted(
              work, ids.stream().map(String::valueOf).collect(Collectors.joining(",")), where);
    }
  }

  void run(Task task) throws IOException {
    long inode = task.ids().get(0);
    switch (task.work()) {
      case RAID -> {
        jobs.select().raider().raid(inode, CrashCase.RS_3_2, "test");
        attendUntil(inode, FileState.RAIDED);
      }
      case RAID_TOGETHER -> {
        jobs.select().raider().raidTogether(task.ids(), CrashCase.RS_3_2, "test");
        attendUntil(inode, FileState.RAIDED);
      }
      case REGROUP ->
          attendUntil(
              inode,
              () -> cluster.access().parity().find(inode).isEmpty(),
              "group %d to have handed over".formatted(inode));
      case AUDIT -> attendUntil(inode, FileState.RAIDED);
      case UNRAID -> {
        jobs.upkeep().reconciler().unraid(inode, "test");
        attendUntil(inode, FileState.LEFT);
        jobs.upkeep().cleanUp().run();
      }
      case REPAIR -> {
        jobs.detection().stripes().check(inode);
        jobs.repair().job().run(inode, "test", stripe -> {});
      }
    }
  }

  private void attendUntil(long inode, FileState wanted) throws IOException {
    attendUntil(
        inode,
        () -> catalog.files().find(inode).orElseThrow().state() == wanted,
        "inode %d to be %s".formatted(inode, wanted));
  }

  /** Reconciles again and again; fails as a run does if this is refused. */
  private void attendUntil(long id, Journey.Condition done, String what) throws IOException {
    Journey.until(
        () -> {
          jobs.upkeep().reconciler().reconcile(id, "test");
          return done.holds();
        },
        () -> what);
  }
}
