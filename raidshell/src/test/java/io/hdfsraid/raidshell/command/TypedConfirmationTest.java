// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TypedConfirmationTest {
  private final StringWriter out = new StringWriter();

  private boolean isTyped(String input) throws IOException {
    return new TypedConfirmation(new BufferedReader(new StringReader(input)), new PrintWriter(out))
        .isTyped("this data is lost");
  }

  @Test
  void onlyTheSentenceIsAYes() throws IOException {
    assertThat(isTyped("this data is lost\n")).isTrue();
    assertThat(isTyped("  this data is lost ")).isTrue();
    for (String other : new String[] {"", "\n", "yes\nthis data is lost\n", "This data is lost"}) {
      assertThat(isTyped(other)).as(other).isFalse();
    }
    assertThat(out.toString()).startsWith("To go on, type: this data is lost%n> ".formatted());
  }
}
