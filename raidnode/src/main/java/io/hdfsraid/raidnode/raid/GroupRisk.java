package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which members of a group stand at risk, judged by the rank of what is left of their stripes. */
final class GroupRisk {
  private final StripeLocator locator;

  GroupRisk(StripeLocator locator) {
    this.locator = locator;
  }

  /** Members with blocks in stripes that bear no further loss, by rank. */
  List<FileState> atRisk(Roll roll) {
    Set<Long> inodes = new LinkedHashSet<>();
    Manifest manifest = roll.parity().manifest();
    for (LocatedStripe stripe : locator.locate(roll.parity(), roll.living())) {
      if (StripeJudge.judge(stripe, List.of()).furtherLosses() < 1) {
        inodes.addAll(manifest.membersOf(manifest.stripes().get(stripe.index())));
      }
    }
    return roll.living().values().stream().filter(file -> inodes.contains(file.inode())).toList();
  }

  /**
   * Members with a lost block that the stripe cannot rebuild any more, by rank: to wait for them
   * would keep the others of the group without working parity. Should a node come back, they have
   * the old parity and get their replicas.
   */
  Set<Long> beyondRepair(Roll roll) {
    Set<Long> inodes = new LinkedHashSet<>();
    Manifest manifest = roll.parity().manifest();
    for (LocatedStripe stripe : locator.locate(roll.parity(), roll.living())) {
      StripeHealth health = StripeJudge.judge(stripe, List.of());
      if (!health.lost().isEmpty() && health.state() != StripeHealth.State.DEGRADED) {
        List<DataUnit> data = manifest.stripes().get(stripe.index()).data();
        for (int unit = 0; unit < data.size(); unit++) {
          if (health.lost().contains(unit)) {
            inodes.add(manifest.members().get(data.get(unit).member()).inode());
          }
        }
      }
    }
    return inodes;
  }
}
