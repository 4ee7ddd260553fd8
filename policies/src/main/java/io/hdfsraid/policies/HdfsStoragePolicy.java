// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.util.Arrays;
import java.util.Optional;

/** A storage policy of HDFS: the kinds of media that replicas lie on. HDFS has no others. */
public enum HdfsStoragePolicy {
  PROVIDED(1),
  COLD(2),
  WARM(5),
  HOT(7),
  ONE_SSD(10),
  ALL_SSD(12),
  LAZY_PERSIST(15);

  private final int number;

  HdfsStoragePolicy(int number) {
    this.number = number;
  }

  /**
   * The policy that HDFS gives this number; empty for 0, which an entry has on which none is set:
   * that of the directory above counts then, and at last the default, HOT.
   */
  public static Optional<HdfsStoragePolicy> ofNumber(int number) {
    return Arrays.stream(values()).filter(policy -> policy.number == number).findFirst();
  }

  public int number() {
    return number;
  }
}
