package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.stripe.UnitSink;
import java.io.Closeable;
import java.io.IOException;

/**
 * A block on its way to a DataNode. Nothing exists there until {@link #finish}; closing without it
 * drops what was sent. Used by one thread at a time.
 */
public interface Delivery extends UnitSink, Closeable {

  /**
   * Makes the replica final. Returns after the DataNode's acknowledgement, which proves nothing
   * about what the NameNode thinks of it.
   */
  void finish() throws IOException;
}
