// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BuildTest {
  @Test
  void aBuildInACheckoutNamesItsCommit() {
    Build build = Build.current();

    assertThat(build.version()).isEqualTo("development");
    assertThat(build.commit().isPresent()).isEqualTo(Files.exists(Path.of("..", ".git")));
    assertThat(build.committedAt().isPresent()).isEqualTo(build.commit().isPresent());
    build.commit().ifPresent(id -> assertThat(id).matches("[0-9a-f]{40}"));
  }

  @Test
  void whatIsNotKnownIsNotShown() {
    assertThat(new Build("0.1.0", Optional.empty(), Optional.empty())).hasToString("0.1.0");
    assertThat(
            new Build(
                "0.1.0", Optional.of("8c1d"), Optional.of(Instant.parse("2026-03-01T12:00:00Z"))))
        .hasToString("0.1.0, commit 8c1d of 2026-03-01T12:00:00Z");
  }
}
