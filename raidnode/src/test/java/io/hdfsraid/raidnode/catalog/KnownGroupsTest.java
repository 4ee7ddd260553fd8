// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.rocksdb.TableStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownGroupsTest {
  private static final long GROUP = 1L << 62;

  @TempDir Path folder;

  @Test
  void aFileIsInTheGroupItWasPutIntoLastAndStaysSoOverARestart() throws Exception {
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      KnownGroups groups = new KnownGroups(store);
      groups.put(GROUP, List.of(1L, 2L, 3L));
      groups.put(GROUP + 1, List.of(2L, 3L));
      groups.put(GROUP + 1, List.of(2L, 3L));
      groups.remove(GROUP, List.of(1L, 2L));
    }
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      KnownGroups groups = new KnownGroups(store);
      assertThat(groups.groupOf(1)).as("removed").isEmpty();
      assertThat(groups.groupOf(2)).as("of another group by then").contains(GROUP + 1);
      assertThat(groups.membersOf(GROUP + 1)).containsExactly(2L, 3L);
      assertThat(groups.membersOf(GROUP)).isEmpty();
    }
  }
}
