// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ParityPathsTest {
  private final ParityPaths paths = new ParityPaths("/.raid");

  @Test
  void parityIsSpreadByTheLowDigitsOfTheInode() {
    assertThat(paths.parity(16_387)).isEqualTo("/.raid/parity/003/16387");
    assertThat(paths.parity(16_388)).isEqualTo("/.raid/parity/004/16388");
    assertThat(paths.quarantined(0xabcdef, 99)).isEqualTo("/.raid/quarantine/def/11259375-99");
  }

  @Test
  void groupsAreSpreadByTheirFamilyAndKeepApartFromInodes() {
    GroupId group = new GroupId((1L << 62) + (0xabcdefL << 16) + 3);
    assertThat(paths.parity(group.value())).isEqualTo("/.raid/group/ef/" + group.value());
    assertThat(paths.parityDirectory(group.successor().value()))
        .isEqualTo(paths.parityDirectory(group.value()));
    assertThat(paths.quarantined(group.value(), 99))
        .isEqualTo("/.raid/quarantine/def/" + group.value() + "-99");
    assertThat(ParityPaths.inodeOf(Long.toString(group.value()))).hasValue(group.value());
    assertThat(GroupId.isGroup(Long.MAX_VALUE >> 1)).isFalse();
  }

  @Test
  void theGenerationsOfAFamilyComeInARing() {
    GroupId first = new GroupId(1L << 62);
    assertThat(first.successor().value()).isEqualTo((1L << 62) + 1);
    assertThat(new GroupId((1L << 62) + 0xffff).successor()).isEqualTo(first);
    assertThat(first.successor().predecessor()).isEqualTo(first);
    assertThat(first.predecessor().successor()).isEqualTo(first);
    GroupId last = new GroupId(Long.MAX_VALUE);
    assertThat(last.successor().family()).isEqualTo(last.family());
    assertThatThrownBy(() -> new GroupId(16_387)).hasMessageContaining("inode");
    Random random = new Random(1);
    for (int i = 0; i < 100; i++) {
      assertThat(GroupId.fresh(random).value() & 0xffff).isZero();
    }
  }

  @Test
  void aGenerationIsAfterTheOnesThatLedToItAlsoRoundTheRing() {
    GroupId first = new GroupId(1L << 62);
    GroupId last = new GroupId((1L << 62) + 0xffff);
    assertThat(first.successor().isAfter(first)).isTrue();
    assertThat(first.isAfter(first.successor())).isFalse();
    assertThat(first.isAfter(first)).isFalse();
    assertThat(first.isAfter(last)).isTrue();
    assertThat(last.isAfter(first)).isFalse();
    GroupId stranger = new GroupId((1L << 62) + 0x10001);
    assertThat(stranger.isAfter(first)).isFalse();
  }

  @Test
  void namesThatAreNotOursHaveNoInode() {
    assertThat(ParityPaths.inodeOf("16387")).hasValue(16_387);
    assertThat(ParityPaths.quarantinedInodeOf("16387-99")).hasValue(16_387);
    for (String name :
        new String[] {"", "x", "016387", "-1", "16387.tmp", "16387-99", "9999999999999999999"}) {
      assertThat(ParityPaths.inodeOf(name)).as(name).isEmpty();
    }
    for (String name : new String[] {"16387", "16387-", "-99", "16387-99-1", "1-x"}) {
      assertThat(ParityPaths.quarantinedInodeOf(name)).as(name).isEmpty();
    }
  }
}
