// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Ways in which bytes are damaged, each drawn by chance, with the range it has touched. */
enum Damage {
  BIT {
    @Override
    Damaged of(byte[] image, Random random) {
      byte[] bytes = image.clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      return new Damaged(bytes, at, at + 1);
    }
  },
  BYTE {
    @Override
    Damaged of(byte[] image, Random random) {
      byte[] bytes = image.clone();
      int at = random.nextInt(bytes.length);
      bytes[at] += (byte) (1 + random.nextInt(255));
      return new Damaged(bytes, at, at + 1);
    }
  },
  CUT {
    @Override
    Damaged of(byte[] image, Random random) {
      int length = random.nextInt(image.length);
      return new Damaged(Arrays.copyOf(image, length), length, image.length);
    }
  },
  HOLE {
    @Override
    Damaged of(byte[] image, Random random) {
      int from = random.nextInt(image.length);
      int to = from + 1 + random.nextInt(Math.min(4_096, image.length - from));
      byte[] bytes = image.clone();
      Arrays.fill(bytes, from, to, (byte) 0);
      return new Damaged(bytes, from, to);
    }
  },
  NOISE {
    @Override
    Damaged of(byte[] image, Random random) {
      int from = random.nextInt(image.length);
      byte[] noise = new byte[1 + random.nextInt(Math.min(64, image.length - from))];
      random.nextBytes(noise);
      byte[] bytes = image.clone();
      System.arraycopy(noise, 0, bytes, from, noise.length);
      return new Damaged(bytes, from, from + noise.length);
    }
  },
  SWAP {
    @Override
    Damaged of(byte[] image, Random random) {
      int length = 1 + random.nextInt(Math.min(512, image.length / 2));
      int one = random.nextInt(image.length - 2 * length + 1);
      int other = one + length + random.nextInt(image.length - one - 2 * length + 1);
      byte[] bytes = image.clone();
      System.arraycopy(image, other, bytes, one, length);
      System.arraycopy(image, one, bytes, other, length);
      return new Damaged(bytes, one, other + length);
    }
  },
  GONE {
    @Override
    Damaged of(byte[] image, Random random) {
      int from = random.nextInt(image.length);
      int length = 1 + random.nextInt(Math.min(512, image.length - from));
      byte[] bytes = Arrays.copyOf(image, image.length - length);
      System.arraycopy(image, from + length, bytes, from, image.length - from - length);
      return new Damaged(bytes, from, image.length);
    }
  },
  DOUBLED {
    @Override
    Damaged of(byte[] image, Random random) {
      int from = random.nextInt(image.length);
      int length = 1 + random.nextInt(Math.min(512, image.length - from));
      byte[] bytes = Arrays.copyOf(image, image.length + length);
      System.arraycopy(image, from, bytes, from + length, image.length - from);
      return new Damaged(bytes, from, bytes.length);
    }
  },
  /** A number of the kind in which lengths and counts are written becomes as large as it can. */
  LONG {
    @Override
    Damaged of(byte[] image, Random random) {
      int from = random.nextInt(image.length);
      int to = Math.min(image.length, from + 1 + random.nextInt(9));
      byte[] bytes = image.clone();
      Arrays.fill(bytes, from, to - 1, (byte) 0xFF);
      bytes[to - 1] = 0x7F;
      return new Damaged(bytes, from, to);
    }
  },
  /** The length of the summary, of all lengths the one that is read first. */
  SUMMARY_LENGTH {
    @Override
    Damaged of(byte[] image, Random random) {
      byte[] bytes = image.clone();
      int at = bytes.length - Integer.BYTES;
      int length =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt();
            case 1 -> Integer.MAX_VALUE;
            case 2 -> -1;
            default -> random.nextInt(bytes.length + 100);
          };
      ByteBuffer.wrap(bytes).putInt(at, length);
      return new Damaged(bytes, at, bytes.length);
    }
  };

  /** What has come of an image. */
  static final class Damaged {
    private final byte[] bytes;
    private final int from;
    private final int to;

    private Damaged(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      this.from = from;
      this.to = to;
    }

    void write(Path file) throws IOException {
      Overwrite.of(file, bytes);
    }

    /** By chance it may be. */
    boolean isSameAs(byte[] image) {
      return Arrays.equals(bytes, image);
    }

    /** The first byte that may differ. */
    int from() {
      return from;
    }

    /** Behind the last one. */
    int to() {
      return to;
    }
  }

  static Damage any(Random random) {
    List<Damage> all = List.of(values());
    return all.get(random.nextInt(all.size()));
  }

  abstract Damaged of(byte[] image, Random random);
}
