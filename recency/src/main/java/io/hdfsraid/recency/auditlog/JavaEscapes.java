// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.util.HexFormat;

/** Decodes text that {@code StringEscapeUtils.escapeJava} of Apache Commons encoded. */
final class JavaEscapes {
  private static final int DIGITS = 4;

  private JavaEscapes() {}

  /** Returns the text without escapes; null if an escape is invalid. */
  static String read(String escaped) {
    StringBuilder text = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      if (++i == escaped.length()) {
        return null;
      }
      switch (escaped.charAt(i)) {
        case 'b' -> text.append('\b');
        case 'n' -> text.append('\n');
        case 't' -> text.append('\t');
        case 'f' -> text.append('\f');
        case 'r' -> text.append('\r');
        case '\\' -> text.append('\\');
        case '"' -> text.append('"');
        case 'u' -> {
          int from = i + 1;
          i += DIGITS;
          if (i >= escaped.length() || !isHex(escaped, from)) {
            return null;
          }
          text.append((char) HexFormat.fromHexDigits(escaped, from, from + DIGITS));
        }
        default -> {
          return null;
        }
      }
    }
    return text.toString();
  }

  private static boolean isHex(String text, int from) {
    for (int i = from; i < from + DIGITS; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
