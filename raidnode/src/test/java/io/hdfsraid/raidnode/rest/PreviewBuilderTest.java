// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.ChangePreview;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PreviewBuilderTest {
  @Test
  void whatChangesComesFirstAndTheRestIsCountedByReason() {
    PreviewBuilder builder = new PreviewBuilder(ChangePreview.Action.RAID, "/");
    for (int inode = 0; inode < 300; inode++) {
      builder.refused(inode, "/warm/" + inode, "used today", "STILL_WARM");
    }
    builder.refused(300, "/a", "1 block", "ALREADY_RAIDED");
    builder.refused(301, "/b", "1 block", "TOO_SMALL");
    builder.wanted(302, "/cold", "encode it", 10, 4);

    ChangePreview preview = builder.as(ChangePreview.Outcome.PLANNED, "");

    assertThat(preview.items()).hasSize(100);
    assertThat(preview.items().get(0).path()).isEqualTo("/cold");
    assertThat(preview.itemsNotShown()).isEqualTo(203);
    assertThat(preview.refused()).isEqualTo(302);
    assertThat(preview.refusedByReason().entrySet())
        .as("the largest number first")
        .containsExactly(
            Map.entry("STILL_WARM", 300L),
            Map.entry("ALREADY_RAIDED", 1L),
            Map.entry("TOO_SMALL", 1L));
  }
}
