// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnitOutputsTest {
  private final List<Integer> closed = new ArrayList<>();

  private UnitOutput output(int parity) {
    return new UnitOutput() {
      @Override
      public void write(ByteBuffer bytes) {}

      @Override
      public void close() throws IOException {
        closed.add(parity);
        if (parity == 1) {
          throw new IOException("close " + parity);
        }
      }
    };
  }

  @Test
  void allAreOpenedInOrder() throws IOException {
    List<Integer> opened = new ArrayList<>();
    assertThat(
            UnitOutputs.open(
                3,
                parity -> {
                  opened.add(parity);
                  return output(parity);
                }))
        .hasSize(3);
    assertThat(opened).containsExactly(0, 1, 2);
    assertThat(closed).isEmpty();
  }

  @Test
  void ifOneCannotBeOpenedThoseBeforeItAreClosed() {
    assertThatIOException()
        .isThrownBy(
            () ->
                UnitOutputs.open(
                    4,
                    parity -> {
                      if (parity == 3) {
                        throw new IOException("open 3");
                      }
                      return output(parity);
                    }))
        .withMessage("open 3")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(closed).containsExactly(0, 1, 2);
  }
}
