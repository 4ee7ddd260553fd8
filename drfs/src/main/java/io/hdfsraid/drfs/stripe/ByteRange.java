// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

/** Bytes {@code from} (inclusive) to {@code to} (exclusive) of a unit. */
record ByteRange(long from, long to) {
  long length() {
    return to - from;
  }

  boolean contains(long offset) {
    return from <= offset && offset < to;
  }
}
