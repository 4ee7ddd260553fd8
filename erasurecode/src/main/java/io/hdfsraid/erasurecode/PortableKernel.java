package io.hdfsraid.erasurecode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Plain Java that the JIT compiler turns into vector instructions: bytes are handled eight to a
 * long, and each output is computed by Horner's rule over the bits of its coefficients: from the
 * highest bit down, double the sum and add (XOR) the inputs whose coefficient has that bit. A row
 * of ones is a plain XOR. Which byte of a long is which does not matter, as every byte is treated
 * alike.
 */
final class PortableKernel implements Kernel {
  private static final int BITS = 8;
  // 2 KiB for each of at most 48 inputs: what one thread keeps stays within its L2 cache.
  private static final int LANE = 256;
  private static final int LANES = 48;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  @Override
  public String name() {
    return "portable";
  }

  @Override
  public String detail() {
    return "plain Java, vectorised by the JIT compiler";
  }

  @Override
  public Multiplication prepare(CodingMatrix matrix) {
    List<int[][][]> columns = new ArrayList<>();
    // At least one round, so that no inputs at all give zeros.
    int first = 0;
    do {
      int last = Math.min(first + LANES, matrix.columns());
      columns.add(columnsByBit(matrix, first, last));
      first = last;
    } while (first < matrix.columns());
    return (inputs, outputs) -> multiply(matrix, columns, inputs, outputs);
  }

  private static void multiply(
      CodingMatrix matrix, List<int[][][]> columns, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    if (outputs.length == 0) {
      return;
    }
    int longs = outputs[0].remaining() / Long.BYTES;
    if (longs > 0) {
      multiplyLongs(columns, longs, views(inputs), views(outputs));
    }
    ScalarKernel.multiplyFrom(matrix, longs * Long.BYTES, inputs, outputs);
  }

  private static void multiplyLongs(
      List<int[][][]> columnsOfRounds, int longs, LongBuffer[] inputs, LongBuffer[] outputs) {
    Scratch scratch = SCRATCH.get();
    int first = 0;
    for (int[][][] columns : columnsOfRounds) {
      int last = Math.min(first + LANES, inputs.length);
      for (int from = 0; from < longs; from += LANE) {
        int count = Math.min(LANE, longs - from);
        for (int column = first; column < last; column++) {
          inputs[column].get(from, scratch.lane(column - first), 0, count);
        }
        for (int row = 0; row < outputs.length; row++) {
          sum(columns[row], scratch, count);
          if (first > 0) {
            outputs[row].get(from, scratch.earlier, 0, count);
            Loops.add(scratch.sum, scratch.earlier, count);
          }
          outputs[row].put(from, scratch.sum, 0, count);
        }
      }
      first = last;
    }
  }

  /**
   * For each row and bit (bit 7 first) the columns, counted from {@code first}, whose coefficient
   * has that bit.
   */
  private static int[][][] columnsByBit(CodingMatrix matrix, int first, int last) {
    int[][][] columns = new int[matrix.rows()][BITS][];
    for (int row = 0; row < matrix.rows(); row++) {
      for (int bit = 0; bit < BITS; bit++) {
        int r = row;
        int mask = 0x80 >> bit;
        columns[row][bit] =
            IntStream.range(first, last)
                .filter(column -> (matrix.get(r, column) & mask) != 0)
                .map(column -> column - first)
                .toArray();
      }
    }
    return columns;
  }

  private static void sum(int[][] columnsByBit, Scratch scratch, int count) {
    long[] sum = scratch.sum;
    Arrays.fill(sum, 0, count, 0);
    boolean empty = true;
    for (int[] columns : columnsByBit) {
      if (!empty) {
        Loops.twice(sum, columns, scratch.lanes, count);
      } else {
        Loops.addAll(sum, columns, 0, scratch.lanes, count);
      }
      empty &= columns.length == 0;
    }
  }

  private static LongBuffer[] views(ByteBuffer[] buffers) {
    LongBuffer[] views = new LongBuffer[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      views[i] = buffers[i].slice().order(ByteOrder.nativeOrder()).asLongBuffer();
    }
    return views;
  }

  private static final class Scratch {
    final long[][] lanes = new long[LANES][];
    final long[] sum = new long[LANE];
    final long[] earlier = new long[LANE];

    long[] lane(int index) {
      if (lanes[index] == null) {
        lanes[index] = new long[LANE];
      }
      return lanes[index];
    }
  }

  /**
   * The loops that must be vectorised: one array for each operand (with offsets into one array the
   * compiler does not), no calls, and up to four inputs in one pass, as each pass costs a load and
   * a store of the sum.
   */
  private static final class Loops {
    private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long POLYNOMIAL = 0x1D1D_1D1D_1D1D_1D1DL;

    /** sum = 2 * sum + the given lanes. */
    static void twice(long[] sum, int[] columns, long[][] lanes, int count) {
      int taken = Math.min(4, columns.length);
      switch (taken) {
        case 0 -> twice(sum, count);
        case 1 -> twiceAdd(sum, lanes[columns[0]], count);
        case 2 -> twiceAdd(sum, lanes[columns[0]], lanes[columns[1]], count);
        case 3 -> twiceAdd(sum, lanes[columns[0]], lanes[columns[1]], lanes[columns[2]], count);
        default ->
            twiceAdd(
                sum,
                lanes[columns[0]],
                lanes[columns[1]],
                lanes[columns[2]],
                lanes[columns[3]],
                count);
      }
      addAll(sum, columns, taken, lanes, count);
    }

    /** sum += the lanes of columns[from], columns[from + 1], ... */
    static void addAll(long[] sum, int[] columns, int from, long[][] lanes, int count) {
      int i = from;
      for (; i + 4 <= columns.length; i += 4) {
        add(
            sum,
            lanes[columns[i]],
            lanes[columns[i + 1]],
            lanes[columns[i + 2]],
            lanes[columns[i + 3]],
            count);
      }
      switch (columns.length - i) {
        case 3 -> add(sum, lanes[columns[i]], lanes[columns[i + 1]], lanes[columns[i + 2]], count);
        case 2 -> add(sum, lanes[columns[i]], lanes[columns[i + 1]], count);
        case 1 -> add(sum, lanes[columns[i]], count);
        default -> {}
      }
    }

    /**
     * Each of the eight bytes of {@code v} times 2: shift, and reduce where the high bit was set.
     */
    private static long twice(long v) {
      long high = v & HIGH_BITS;
      return ((v & LOW_BITS) << 1) ^ ((high - (high >>> 7)) & POLYNOMIAL);
    }

    private static void twice(long[] sum, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] = twice(sum[i]);
      }
    }

    private static void twiceAdd(long[] sum, long[] a, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] = twice(sum[i]) ^ a[i];
      }
    }

    private static void twiceAdd(long[] sum, long[] a, long[] b, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] = twice(sum[i]) ^ a[i] ^ b[i];
      }
    }

    private static void twiceAdd(long[] sum, long[] a, long[] b, long[] c, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i];
      }
    }

    private static void twiceAdd(long[] sum, long[] a, long[] b, long[] c, long[] d, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i] ^ d[i];
      }
    }

    private static void add(long[] sum, long[] a, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] ^= a[i];
      }
    }

    private static void add(long[] sum, long[] a, long[] b, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] ^= a[i] ^ b[i];
      }
    }

    private static void add(long[] sum, long[] a, long[] b, long[] c, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] ^= a[i] ^ b[i] ^ c[i];
      }
    }

    private static void add(long[] sum, long[] a, long[] b, long[] c, long[] d, int count) {
      for (int i = 0; i < count; i++) {
        sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
      }
    }
  }
}
