// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.index.AccessDecay;
import io.hdfsraid.recency.index.IndexedFile;
import io.hdfsraid.recency.namespace.FileAttributes;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreRaidCheckTest {
  @ParameterizedTest
  @CsvSource({"true,false,true", "false,true,true", "true,true,true", "false,false,false"})
  void aFileIsUnclearIfItsInodeOrItsAttributesAreInDoubt(
      boolean provisional, boolean stale, boolean unclear) {
    IndexedFile file =
        new IndexedFile(
            provisional ? -1 : 16_387,
            provisional,
            stale,
            "/cold/file",
            new FileAttributes(10, 128, 1, 3, 1, 1, "etl", "users", 0, Set.of()),
            Instant.EPOCH,
            new IndexedFile.Accesses(0, AccessDecay.USUAL),
            OptionalInt.empty(),
            false);

    assertThat(PreRaidCheck.isUnclear(file)).isEqualTo(unclear);
  }
}
