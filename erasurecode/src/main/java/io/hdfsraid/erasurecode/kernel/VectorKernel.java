// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.nio.ByteBuffer;

/**
 * A kernel of look-ups in tables that fit into a vector register, 64 at a time, with Java's Vector
 * API: for processors with the instruction for it (VPERMB of AVX-512 VBMI), and a Java that is
 * started with {@code --add-modules jdk.incubator.vector}.
 *
 * <p>A register holds 64 products, so that six bits of a byte take one look-up. The two bits that
 * are left, those of three inputs together, are the six bits of one more: k inputs take k + k/3
 * look-ups for each output, where tables of 16 products (Plank, Greenan and Miller, "Screaming Fast
 * Galois Field Arithmetic Using Intel SIMD Instructions", FAST 2013) take 2 k.
 *
 * <p>Measured at (10,4): about twice the speed of the {@link PortableKernel} once the JIT compiler
 * has done its work, and a thousandth of it before, so it must be warmed up: that takes more than a
 * second of processor time. A single output and binary matrices are left to that kernel, which is
 * faster there.
 */
final class VectorKernel implements Kernel {
  static final String NAME = "vector";

  /** Bytes of a vector, and products in a table. */
  static final int WIDTH = 64;

  /** How many outputs are computed at once. */
  static final int ROWS = 4;

  /** How many bytes of each are computed at once. */
  static final int STEP = 2 * WIDTH;

  private static final String MODULE = "jdk.incubator.vector";

  // By its name: it is compiled after this class, and loaded only where the module is.
  private static final String LOOK_UPS = "io.hdfsraid.erasurecode.kernel.VectorLookUps";

  // All lanes of a strip together, so that they stay within an L1 cache.
  private static final int STRIP_BYTES = 24 * 1024;

  private static final ThreadLocal<byte[]> LANES = ThreadLocal.withInitial(() -> new byte[0]);

  private final LookUps lookUps;
  private final PortableKernel portable = new PortableKernel();

  private VectorKernel(LookUps lookUps) {
    this.lookUps = lookUps;
  }

  /**
   * @throws KernelUnavailableException with what is missing, and what would help
   */
  static VectorKernel load() throws KernelUnavailableException {
    VectorKernel kernel = ofAnyWidth();
    int bits = kernel.lookUps.preferredBits();
    if (bits < WIDTH * Byte.SIZE) {
      throw new KernelUnavailableException(
          "Java has vectors of %d bits on this processor, but %d are needed: it has no AVX-512, or Java was told not to use it"
              .formatted(bits, WIDTH * Byte.SIZE));
    }
    return kernel;
  }

  /** Also where the processor has no such vectors, and Java imitates them: right, and very slow. */
  static VectorKernel ofAnyWidth() throws KernelUnavailableException {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      throw new KernelUnavailableException(
          "Java's Vector API is not there: start Java with --add-modules " + MODULE);
    }
    try {
      return new VectorKernel(
          Class.forName(LOOK_UPS).asSubclass(LookUps.class).getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new KernelUnavailableException(
          "The Vector API of Java %s is not the one this was built for: %s"
              .formatted(Runtime.version(), e),
          e);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String detail() {
    return "Vector API of Java %s, %d bits".formatted(Runtime.version(), WIDTH * Byte.SIZE);
  }

  @Override
  public Multiplication prepare(CodingMatrix matrix) {
    return matrix.rows() <= 1 || matrix.isBinary() ? portable.prepare(matrix) : new Tables(matrix);
  }

  /**
   * The operations that need the Vector API. Lanes stand one after the other in an array, {@code
   * stride} apart.
   */
  interface LookUps {
    /** Bits of the vectors that this processor is best at. */
    int preferredBits();

    /**
     * After the lanes of the inputs, writes a lane for each three of them: in each byte the two
     * high bits of the first, the second and the third, from the lowest bits up. At the end the
     * last input stands for those that are missing.
     *
     * @param count bytes of a lane, rounded up to a multiple of {@link #WIDTH}
     */
    void pack(byte[] lanes, int stride, int inputs, int count);

    /**
     * Sums up, for each of {@link #ROWS} outputs, what its tables have for the low six bits of each
     * lane.
     *
     * @param tables for each lane one for each output
     * @param to where the lanes of the outputs begin
     * @param count bytes of a lane, rounded up to a multiple of {@link #STEP}
     */
    void sum(byte[] tables, byte[] lanes, int stride, int to, int count);
  }

  /** A matrix in the form of tables. */
  private final class Tables implements Multiplication {
    private final int inputs;
    private final int lanes;
    private final int stride;
    // For each four rows, then each lane, then each of the four rows.
    private final byte[][] tables;

    Tables(CodingMatrix matrix) {
      inputs = matrix.columns();
      lanes = inputs + (inputs + 2) / 3;
      stride = Math.max(STEP, STRIP_BYTES / (lanes + ROWS) / STEP * STEP);
      tables = new byte[(matrix.rows() + ROWS - 1) / ROWS][lanes * ROWS * WIDTH];
      for (int row = 0; row < matrix.rows(); row++) {
        for (int column = 0; column < inputs; column++) {
          byte[] products = Gf256.products(matrix.get(row, column));
          int low = table(column, row);
          int high = table(inputs + column / 3, row);
          for (int i = 0; i < WIDTH; i++) {
            tables[row / ROWS][low + i] = products[i];
            tables[row / ROWS][high + i] ^= products[((i >>> (2 * (column % 3))) & 3) * WIDTH];
          }
        }
      }
    }

    private static int table(int lane, int row) {
      return (lane * ROWS + row % ROWS) * WIDTH;
    }

    @Override
    public void multiply(ByteBuffer[] from, ByteBuffer[] to) {
      byte[] strip = strip((lanes + ROWS) * stride);
      int length = to[0].remaining();
      int count;
      for (int done = 0; done < length; done += count) {
        count = Math.min(stride, length - done);
        for (int column = 0; column < inputs; column++) {
          from[column].get(from[column].position() + done, strip, column * stride, count);
        }
        lookUps.pack(strip, stride, inputs, count);
        int row = 0;
        for (byte[] four : tables) {
          lookUps.sum(four, strip, stride, lanes * stride, count);
          for (int r = 0; r < ROWS && row < to.length; r++, row++) {
            to[row].put(to[row].position() + done, strip, (lanes + r) * stride, count);
          }
        }
      }
    }

    private static byte[] strip(int bytes) {
      byte[] strip = LANES.get();
      if (strip.length < bytes) {
        strip = new byte[bytes];
        LANES.set(strip);
      }
      return strip;
    }
  }
}
