// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

/**
 * Why nothing can be changed on HDFS now.
 *
 * @param silent whether the NameNode gives no answer at all; else it answers that it cannot serve
 * @param why what it, or the attempt to reach it, says
 */
public record NameNodeTrouble(boolean silent, String why) {
  /** The NameNode cannot be reached. */
  public static NameNodeTrouble silence(String why) {
    return new NameNodeTrouble(true, why);
  }

  /** The NameNode can be reached and cannot serve, or may not be asked. */
  public static NameNodeTrouble refusal(String why) {
    return new NameNodeTrouble(false, why);
  }
}
