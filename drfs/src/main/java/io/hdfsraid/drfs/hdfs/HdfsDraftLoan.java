// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.parity.DraftLoan;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A directory that belongs to another user until the loan is closed. */
final class HdfsDraftLoan implements DraftLoan {
  private final String directory;
  private final Addresses addresses;
  private final Closeable end;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Tells how to request a node. */
  interface Addresses {
    String of(DataNode node) throws IOException;
  }

  /**
   * @param end ends the loan
   */
  HdfsDraftLoan(String directory, Addresses addresses, Closeable end) {
    this.directory = directory;
    this.addresses = addresses;
    this.end = end;
  }

  @Override
  public String directory() {
    return directory;
  }

  @Override
  public String address(DataNode node) throws IOException {
    return addresses.of(node);
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      end.close();
    }
  }
}
