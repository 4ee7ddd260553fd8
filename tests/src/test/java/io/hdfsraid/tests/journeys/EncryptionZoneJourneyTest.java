// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files of an encryption zone: what leaves the zone is ciphertext, and parity of ciphertext. */
class EncryptionZoneJourneyTest {
  private static final ErasureCodec CODEC = Codecs.parse("rs-6-3");
  private static final int DATA_UNITS = 5;
  private static final int LENGTH = DATA_UNITS * Journey.BLOCK - 777;

  private static Journey journey;

  @BeforeAll
  static void start() throws IOException {
    EncryptionKey key = new EncryptionKey();
    journey = new Journey(10, key.settings());
    journey.startDaemon(StepListener.NONE);
    key.makeZone(journey, "/zone");
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @Test
  void parityIsOverTheCiphertextAndHoldsNoPlaintext() throws IOException {
    byte[] plaintext = journey.load("/zone/parity", LENGTH);
    byte[] ciphertext = journey.readPlain("/.reserved/raw/zone/parity");
    assertThat(ciphertext).hasSize(LENGTH).isNotEqualTo(plaintext);

    long inode = journey.raid("/zone/parity", CODEC.name());

    String parity = journey.cluster().access().parity().find(inode).orElseThrow().file().path();
    byte[] stored = journey.readPlain(parity);
    assertThat(stored).as("parity").isEqualTo(parityOf(inode, ciphertext));
    assertThat(stored).as("parity").isNotEqualTo(parityOf(inode, plaintext));
    assertThat(journey.hdfs.fileSystem().getFileStatus(new Path(parity)).isEncrypted())
        .as("the parity lies outside of the zone")
        .isFalse();
  }

  /** The units of the only stripe, one after another, as their file was read by somebody. */
  private static byte[] parityOf(long inode, byte[] content) throws IOException {
    LocatedStripe stripe = journey.stripes(inode).get(0);
    List<Block> blocks =
        journey.cluster().access().namespace().file(inode).orElseThrow().contents();
    int k = CODEC.shape().dataUnits();
    int m = CODEC.shape().parityUnits();
    ByteBuffer[] data = new ByteBuffer[k];
    Arrays.setAll(data, unit -> ByteBuffer.allocate(Journey.BLOCK));
    for (int unit = 0; unit < DATA_UNITS; unit++) {
      int place = blocks.indexOf(stripe.unit(unit).located().orElseThrow().block());
      int start = place * Journey.BLOCK;
      data[unit].put(0, content, start, Math.min(Journey.BLOCK, content.length - start));
    }
    byte[] parity = new byte[m * Journey.BLOCK];
    ByteBuffer[] units = new ByteBuffer[m];
    Arrays.setAll(units, p -> ByteBuffer.wrap(parity).slice(p * Journey.BLOCK, Journey.BLOCK));
    CODEC.encode(data, units);
    return parity;
  }

  @Test
  void lostAndRottenBlocksAreReadInPlaintextByWhoMayAndRepairedAsCiphertext() throws Exception {
    byte[] plaintext = journey.load("/zone/damaged", LENGTH);
    byte[] ciphertext = journey.readPlain("/.reserved/raw/zone/damaged");
    Path file = new Path("/zone/damaged");
    journey.hdfs.fileSystem().setOwner(file, "alice", "staff");
    journey.hdfs.fileSystem().setPermission(file, new FsPermission("600"));
    long inode = journey.raid("/zone/damaged", CODEC.name());
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.delete(stripe, 1);
    journey.corrupt(stripe, 3);

    assertThat(as("alice", () -> journey.readDegraded("/zone/damaged")))
        .as("through the losses, by its owner")
        .isEqualTo(plaintext);
    assertThatThrownBy(() -> as("bob", () -> journey.readDegraded("/zone/damaged")))
        .isInstanceOf(AccessControlException.class);
    String parity = journey.cluster().access().parity().find(inode).orElseThrow().file().path();
    assertThatThrownBy(() -> as("bob", () -> journey.readDegraded(parity)))
        .isInstanceOf(AccessControlException.class);

    journey.repair(inode);

    assertThat(journey.readPlain("/.reserved/raw/zone/damaged"))
        .as("the ciphertext that was rebuilt")
        .isEqualTo(ciphertext);
    assertThat(journey.readPlain("/zone/damaged")).as("by a plain client").isEqualTo(plaintext);
  }

  private static byte[] as(String user, PrivilegedExceptionAction<byte[]> action) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {user}).doAs(action);
  }
}
