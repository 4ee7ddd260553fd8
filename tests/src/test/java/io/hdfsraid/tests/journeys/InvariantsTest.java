// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the invariants must not let pass. */
@Tag("full")
class InvariantsTest {
  private static Journey journey;
  private static Invariants invariants;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(9);
    journey.startDaemon(StepListener.NONE);
    invariants = new Invariants(journey.hdfs, ParitySettings.defaults());
  }

  @AfterAll
  static void stop() {
    invariants.close();
    journey.close();
  }

  @Test
  void aRaidedFilePasses() throws IOException {
    byte[] bytes = journey.load("/i/raided", 4 * Journey.BLOCK - 99);
    // A file is closed as soon as one replica of each block is known.
    Journey.until(
        () ->
            journey.file("/i/raided").blocks().stream().allMatch(block -> block.live().size() == 3),
        () -> "three replicas of each block to be known");
    invariants.protectedAgainstLoss("/i/raided", bytes, 3);

    journey.raid("/i/raided", "rs-3-2");

    invariants.readable("/i/raided", bytes);
    invariants.protectedAgainstLoss("/i/raided", bytes, 3);
    invariants.nothingLeftOver();
  }

  @Test
  void otherBytesAreNotReadable() throws IOException {
    byte[] bytes = journey.load("/i/other", 1_000);
    bytes[999]++;

    assertThatThrownBy(() -> invariants.readable("/i/other", bytes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("from byte 999 on");
  }

  @Test
  void aBlockWithTooFewReplicasAndWithoutParityIsNotProtected() throws IOException {
    byte[] bytes = journey.load("/i/single", 1_000);
    journey.hdfs.fileSystem().setReplication(new Path("/i/single"), (short) 1);
    Journey.until(
        () -> journey.file("/i/single").blocks().get(0).live().size() == 1,
        () -> "one replica to be left");

    assertThatThrownBy(() -> invariants.protectedAgainstLoss("/i/single", bytes, 3))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no parity covers it");
  }

  @Test
  void parityWithOtherBytesDoesNotProtect() throws IOException {
    byte[] bytes = journey.load("/i/rotten", 3 * Journey.BLOCK);
    LocatedStripe stripe = journey.stripes(journey.raid("/i/rotten", "rs-3-2")).get(0);
    journey.corrupt(stripe, 3);
    journey.corrupt(stripe, 4);

    assertThatThrownBy(() -> invariants.protectedAgainstLoss("/i/rotten", bytes, 3))
        .hasMessageContaining("CRC");
  }

  /** It is found through the snapshot, as for a repair, and not because the path leads to it. */
  @Test
  void parityProtectsWhatOnlyASnapshotHoldsAsLongAsItIsWhole() throws IOException {
    byte[] bytes = journey.load("/s/deleted", 3 * Journey.BLOCK);
    long inode = journey.raid("/s/deleted", "rs-3-2");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.hdfs.fileSystem().allowSnapshot(new Path("/s"));
    journey.hdfs.fileSystem().createSnapshot(new Path("/s"), "before");
    journey.hdfs.fileSystem().delete(new Path("/s/deleted"), false);
    invariants.protectedAgainstLoss("/s/.snapshot/before/deleted", bytes, 3);

    journey.corrupt(stripe, 3);
    journey.corrupt(stripe, 4);

    assertThatThrownBy(
            () -> invariants.protectedAgainstLoss("/s/.snapshot/before/deleted", bytes, 3))
        .hasMessageContaining("CRC");
    journey.hdfs.fileSystem().deleteSnapshot(new Path("/s"), "before");
    journey.jobs().upkeep().reconciler().reconcile(inode, "test");
  }

  @Test
  void parityOfAFileThatWasAppendedToDoesNotCoverItsLastBlock() throws IOException {
    byte[] bytes = journey.load("/i/appended", 3 * Journey.BLOCK - 1);
    journey.raid("/i/appended", "rs-3-2");
    journey.hdfs.fileSystem().append(new Path("/i/appended")).close();

    assertThatThrownBy(() -> invariants.protectedAgainstLoss("/i/appended", bytes, 3))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void whatNobodyNeedsIsFound() throws IOException {
    journey.load("/i/deleted", 3 * Journey.BLOCK);
    long inode = journey.raid("/i/deleted", "rs-3-2");
    journey.hdfs.fileSystem().delete(new Path("/i/deleted"), false);

    Journey.until(() -> throwsAssertion(), () -> "the blocks to be gone");
    journey.jobs().upkeep().reconciler().reconcile(inode, "test");
    assertThatThrownBy(() -> invariants.nothingLeftOver())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("/.raid/quarantine/");
    journey.jobs().upkeep().cleanUp().run();
    invariants.nothingLeftOver();
  }

  private static boolean throwsAssertion() throws IOException {
    try {
      invariants.nothingLeftOver();
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }
}
