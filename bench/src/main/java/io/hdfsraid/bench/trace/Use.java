// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.List;

/** The kinds of events of a file. */
enum Use {
  WRITTEN(0),
  /** By a user. */
  READ(1),
  /** By the nightly job. */
  SCANNED(2);

  /** Bits that hold any code. */
  static final int BITS = 2;

  private static final List<Use> BY_CODE = List.of(WRITTEN, READ, SCANNED);

  private final int code;

  Use(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static Use of(int code) {
    return BY_CODE.get(code);
  }
}
