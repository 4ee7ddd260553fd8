// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;

/** Finds the NameNode that answers as the active one. */
public final class ActiveNameNode {
  private ActiveNameNode() {}

  /**
   * Returns its address. Asks the NameNode.
   *
   * @throws IOException also while one fails over to another, when Hadoop knows no address
   */
  public static InetSocketAddress of(DistributedFileSystem fs) throws IOException {
    InetSocketAddress active = HAUtil.getAddressOfActive(fs);
    if (active == null) {
      throw new IOException("No NameNode of %s is active now".formatted(fs.getUri()));
    }
    return active;
  }
}
