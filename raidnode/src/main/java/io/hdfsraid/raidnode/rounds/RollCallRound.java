package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityStore;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Looks whether the members of all groups are still there. A deleted member is lost to its stripes
 * and nobody tells the daemon; until it is noticed they bear less. So this round does nothing but
 * ask for each member, and give replicas back where they are needed: it waits for no encoding and
 * no check. One group after the other, one question to the NameNode for each member: its length is
 * the time in which a deletion stays unnoticed.
 */
public final class RollCallRound {
  private static final String ROLL_CALL = "roll-call";

  private final ParityStore parity;
  private final AttendRound attending;

  public RollCallRound(ParityStore parity, AttendRound attending) {
    this.parity = parity;
    this.attending = attending;
  }

  /**
   * One round.
   *
   * @return how many groups there are
   */
  public int run() throws IOException {
    int[] groups = {0};
    try {
      parity.forEachGroup(
          group -> {
            groups[0]++;
            protect(group);
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return groups[0];
  }

  private void protect(GroupId group) {
    if (Thread.currentThread().isInterrupted()) {
      throw new UncheckedIOException(new IOException("The roll call was interrupted"));
    }
    attending.protect(group, ROLL_CALL);
  }
}
