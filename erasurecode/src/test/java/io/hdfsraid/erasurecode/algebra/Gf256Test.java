// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.algebra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class Gf256Test {
  @Test
  void productsAreThoseOfPolynomialsModulo11D() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        int product = 0;
        for (int bit = 7; bit >= 0; bit--) {
          product = product << 1 ^ (product << 1 > 0xFF ? 0x11D : 0);
          product ^= (b >> bit & 1) * a;
        }
        if (Gf256.multiply(a, b) != product) {
          assertThat(Gf256.multiply(a, b)).as("%d * %d", a, b).isEqualTo(product);
        }
      }
    }
  }

  @Test
  void multiplicationIsAssociativeAndDistributesOverXorForAllElements() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        int ab = Gf256.multiply(a, b);
        for (int c = 0; c < 256; c++) {
          int bc = Gf256.multiply(b, c);
          if (Gf256.multiply(ab, c) != Gf256.multiply(a, bc)
              || Gf256.multiply(a, b ^ c) != (ab ^ Gf256.multiply(a, c))) {
            throw new AssertionError("laws do not hold for %d, %d, %d".formatted(a, b, c));
          }
        }
      }
    }
  }

  @Test
  void everyElementButZeroHasAnInverse() {
    for (int a = 1; a < 256; a++) {
      assertThat(Gf256.multiply(a, Gf256.inverse(a))).as("%d / %d", a, a).isEqualTo(1);
    }
    assertThatThrownBy(() -> Gf256.inverse(0)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void powersAreRepeatedProducts() {
    for (int a = 0; a < 256; a++) {
      int power = 1;
      for (int exponent = 0; exponent < 600; exponent++) {
        assertThat(Gf256.power(a, exponent)).as("%d ^ %d", a, exponent).isEqualTo(power);
        power = Gf256.multiply(power, a);
      }
    }
  }

  @Test
  void twoGeneratesAllElements() {
    assertThat(IntStream.range(0, 255).map(e -> Gf256.power(2, e)).distinct().count())
        .isEqualTo(255);
  }
}
