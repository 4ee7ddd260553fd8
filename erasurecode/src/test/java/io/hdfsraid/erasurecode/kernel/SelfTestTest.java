// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SelfTestTest {
  /** What it must not miss, each done to the result of a right kernel. */
  enum Fault {
    NOTHING_BUT_ZEROS {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        for (ByteBuffer output : outputs) {
          output.duplicate().put(new byte[output.remaining()]);
        }
      }
    },
    LAST_BYTE_OF_ODD_LENGTHS {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (outputs[0].remaining() % 2 == 1) {
          flip(outputs[0], outputs[0].limit() - 1);
        }
      }
    },
    FIRST_BYTE_OF_LENGTH_65 {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (outputs[0].remaining() == 65) {
          flip(outputs[0], outputs[0].position());
        }
      }
    },
    LAST_OF_THIRTEEN_ROWS {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (outputs.length == 13 && outputs[12].hasRemaining()) {
          flip(outputs[12], outputs[12].position());
        }
      }
    },
    ONE_BIT_OF_ONE_PRODUCT {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (outputs.length == 256) {
          flip(outputs[200], outputs[200].position() + 100);
        }
      }
    },
    A_BYTE_TOO_MANY {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        flip(outputs[0].duplicate().clear(), outputs[0].limit());
      }
    },
    A_BYTE_TOO_EARLY {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        flip(outputs[0].duplicate().clear(), outputs[0].position() - 1);
      }
    },
    SECOND_HALF_OF_LONG_HEAP_BUFFERS {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (outputs[0].remaining() > 60_000 && !outputs[0].isDirect()) {
          flip(outputs[1], outputs[1].position() + 40_000);
        }
      }
    },
    SECOND_HALF_OF_LONG_DIRECT_BUFFERS {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (outputs[0].remaining() > 60_000 && outputs[0].isDirect()) {
          flip(outputs[1], outputs[1].position() + 40_000);
        }
      }
    },
    MIXED_BUFFERS {
      @Override
      void after(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        if (inputs[0].isDirect() && !inputs[inputs.length - 1].isDirect()) {
          flip(outputs[0], outputs[0].limit() - 1);
        }
      }
    };

    abstract void after(ByteBuffer[] inputs, ByteBuffer[] outputs);

    private static void flip(ByteBuffer buffer, int at) {
      if (at >= 0 && at < buffer.limit()) {
        buffer.put(at, (byte) (buffer.get(at) ^ 1));
      }
    }
  }

  /** The others are tested before they are there at all. */
  static List<Kernel> kernels() {
    return List.of(new ScalarKernel(), new PortableKernel());
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aRightKernelPasses(Kernel kernel) {
    assertThat(SelfTest.firstFault(kernel::prepare)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aKernelWithOneWrongBitIsCaught(WrongKernel wrong) {
    assertThat(SelfTest.firstFault(wrong::prepare)).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsCaught(Fault fault) {
    Kernel right = new PortableKernel();
    Optional<String> found =
        SelfTest.firstFault(
            matrix -> {
              Multiplication multiplication = right.prepare(matrix);
              return (inputs, outputs) -> {
                multiplication.multiply(inputs, outputs);
                fault.after(inputs, outputs);
              };
            });
    assertThat(found).isPresent();
  }
}
