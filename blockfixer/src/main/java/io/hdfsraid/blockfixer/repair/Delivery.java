// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.stripe.UnitSink;
import java.io.Closeable;
import java.io.IOException;

/**
 * A block that is being sent to a DataNode. The replica exists only after {@link #finish}; closing
 * without it drops the bytes sent. Used by one thread at a time.
 */
public interface Delivery extends UnitSink, Closeable {

  /**
   * Makes the replica final. Returns after the DataNode's acknowledgement, which does not prove
   * that the NameNode accepts the replica.
   */
  void finish() throws IOException;
}
