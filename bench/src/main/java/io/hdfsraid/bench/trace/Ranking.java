// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/** The hot files, and the file that is raided next. */
interface Ranking {
  /** A file becomes hot; its {@link Temperature} is that of now. */
  void add(int file);

  /** A hot file has been used. */
  void used(int file);

  /** The file that is raided: it is not hot any more. */
  int removeColdest();
}
