// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.raidnode.raiding.core.GroupMembers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the members of a group that are at risk, by the rank of the units left in their stripes.
 */
final class GroupRisk {
  private final StripeLocator locator;

  GroupRisk(StripeLocator locator) {
    this.locator = locator;
  }

  /** Returns the members with blocks in stripes that tolerate no further loss, by rank. */
  List<LocatedFile> atRisk(GroupMembers members) {
    Set<Long> inodes = new LinkedHashSet<>();
    Manifest manifest = members.parity().manifest();
    for (LocatedStripe stripe : locator.locate(members.parity(), members.living())) {
      if (StripeJudge.judge(stripe, List.of()).furtherLosses() < 1) {
        inodes.addAll(manifest.membersOf(manifest.stripes().get(stripe.index())));
      }
    }
    return members.living().values().stream()
        .filter(file -> inodes.contains(file.inode()))
        .toList();
  }

  /**
   * Members with a lost block that the stripe cannot rebuild any more, by rank: to wait for them
   * would keep the others of the group without working parity. Should a node come back, they have
   * the old parity and get their replicas.
   */
  Set<Long> beyondRepair(GroupMembers members) {
    Set<Long> inodes = new LinkedHashSet<>();
    Manifest manifest = members.parity().manifest();
    for (LocatedStripe stripe : locator.locate(members.parity(), members.living())) {
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
