// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.util.OptionalLong;

/**
 * Estimates the size of parity. The implementation knows the codecs and how files are cut into
 * stripes.
 */
@FunctionalInterface
public interface ParityEstimate {
  /**
   * How many bytes one replica of the parity has.
   *
   * @param codec a name that was accepted when the policies were read
   * @param length of the file, above 0
   */
  long parityBytes(String codec, long length, long blockSize);

  /**
   * A file's part of the parity of a group, when all its stripes are full of units as long as its
   * own.
   *
   * @return empty for a file that has blocks enough for a full stripe of its own, or where there
   *     are no groups
   */
  default OptionalLong shareOfGroup(String codec, long length, int blocks) {
    return OptionalLong.empty();
  }
}
