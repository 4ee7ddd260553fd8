package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

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
