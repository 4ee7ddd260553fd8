// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A file and the place at which the daemon's process is halted while it works on it. What goes
 * wrong is kept, so that one case does not spoil the others that go side by side with it.
 */
final class CrashCase {
  static final Protection RS_3_2 = new Protection("rs-3-2", 1, 1);

  /** What the daemon is at when it is halted, and when that is done. */
  enum Work {
    RAID(FileState.RAIDED),
    AUDIT(FileState.RAIDED),
    UNRAID(FileState.LEFT),
    REPAIR(FileState.RAIDED),
    RAID_TOGETHER(FileState.RAIDED),
    REGROUP(FileState.RAIDED);

    private final FileState done;

    Work(FileState done) {
      this.done = done;
    }
  }

  /** What a case does on the cluster. */
  interface Action {
    void run() throws Exception;
  }

  private final Journey journey;
  private final Work work;
  private final Enum<?> where;
  private final String path;
  private final byte[] bytes;
  private final long inode;
  private Optional<Throwable> failure = Optional.empty();
  private boolean settled;

  /** Loads the file. */
  CrashCase(Journey journey, Work work, Enum<?> where) throws IOException {
    this.journey = journey;
    this.work = work;
    this.where = where;
    this.path = "/%s/%s".formatted(work, where);
    this.bytes = journey.load(path, 3 * Journey.BLOCK - 5);
    this.inode = journey.hdfs.fileSystem().getClient().getFileInfo(path).getFileId();
  }

  Work work() {
    return work;
  }

  /** What brings a daemon to that place. */
  DaemonWork.Task task() {
    return new DaemonWork.Task(work, List.of(inode), where.name());
  }

  String path() {
    return path;
  }

  long inode() {
    return inode;
  }

  /** Does it, unless something went wrong before. */
  void run(Action action) {
    if (failure.isPresent()) {
      return;
    }
    try {
      action.run();
    } catch (Exception | AssertionError e) {
      failure = Optional.of(e);
    }
  }

  void raid() {
    run(() -> journey.jobs().select().raider().raid(inode, RS_3_2, "test"));
  }

  /** One more try of the daemon to get the work done; true when it is, or can never be. */
  boolean settles() {
    if (!settled) {
      run(this::reconcile);
    }
    return isSettled();
  }

  boolean isSettled() {
    return settled || failure.isPresent();
  }

  private void reconcile() throws IOException {
    if (work == Work.REPAIR) {
      journey.jobs().detection().stripes().check(inode);
      journey.jobs().repair().job().run(inode, "test", stripe -> {});
      settled =
          journey.health(inode).stream()
              .allMatch(stripe -> stripe.state() == StripeHealth.State.HEALTHY);
    } else {
      journey.jobs().upkeep().reconciler().reconcile(inode, "test");
      settled = journey.record(inode).map(FileRecord::state).equals(Optional.of(work.done));
    }
  }

  /** A plain client reads what was loaded. */
  void assertReadable() throws IOException {
    assertThat(journey.readPlain(path)).as("%s", this).isEqualTo(bytes);
  }

  /** The work was taken up and is complete, and the file is what it was. */
  void assertDone() throws IOException {
    assertThat(failure).as("%s", this).isEmpty();
    assertThat(settled).as("%s", this).isTrue();
    assertReadable();
  }

  @Override
  public String toString() {
    return "%s halted at %s".formatted(work, where);
  }
}
