// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidshell.command.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final StringWriter shown = new StringWriter();

  private Progress progress(boolean interactive) {
    return new Progress(
        new PrintWriter(shown, true), interactive, "RAID /w", 100, Progress.Unit.ITEMS);
  }

  @Test
  void aTerminalShowsABarThatMoves() {
    long began = System.nanoTime();
    try (Progress bar = progress(true)) {
      bar.stepTo(50);
      // Another thread draws, and says nothing if it cannot.
      while (!shown.toString().contains("50%")) {
        assertThat(System.nanoTime() - began).as("%s", shown).isLessThan(LONGEST.toNanos());
        Thread.onSpinWait();
      }
    }
    assertThat(shown.toString()).contains("RAID /w", "[====").endsWith("s\n");
  }

  @Test
  void withoutATerminalOnlyTheEndIsSaid() {
    try (Progress bar = progress(false)) {
      bar.stepTo(7);
    }
    assertThat(shown.toString().lines()).singleElement().asString().startsWith("RAID /w: 7 in ");
  }
}
