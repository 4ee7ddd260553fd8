package io.hdfsraid.policies;

import java.util.Arrays;
import java.util.Optional;

/** HDFS's own policies of which kinds of media replicas lie on; there are no others. */
public enum StoragePolicy {
  PROVIDED(1),
  COLD(2),
  WARM(5),
  HOT(7),
  ONE_SSD(10),
  ALL_SSD(12),
  LAZY_PERSIST(15);

  private final int number;

  StoragePolicy(int number) {
    this.number = number;
  }

  /**
   * The policy that HDFS gives this number; empty for 0, which an entry has on which none is set:
   * that of the directory above counts then, and at last the default, HOT.
   */
  public static Optional<StoragePolicy> ofNumber(int number) {
    return Arrays.stream(values()).filter(policy -> policy.number == number).findFirst();
  }

  public int number() {
    return number;
  }
}
