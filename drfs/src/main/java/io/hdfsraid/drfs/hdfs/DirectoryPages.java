// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.namespace.CallPermits;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Lists directories of any size, page by page. */
final class DirectoryPages {
  private DirectoryPages() {}

  interface EntryVisitor {
    void accept(HdfsFileStatus entry) throws IOException;
  }

  /** Visits each entry; does nothing if the directory does not exist. */
  static void forEach(DFSClient client, String directory, EntryVisitor entry) throws IOException {
    forEach(client, CallPermits.UNLIMITED, directory, entry);
  }

  /** Visits each entry, and asks for a permit before each page. */
  static void forEach(DFSClient client, CallPermits calls, String directory, EntryVisitor entry)
      throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (true) {
      calls.await(1);
      DirectoryListing page = client.listPaths(directory, after);
      if (page == null) {
        return;
      }
      for (HdfsFileStatus status : page.getPartialListing()) {
        entry.accept(status);
      }
      if (!page.hasMore()) {
        return;
      }
      after = page.getLastName();
    }
  }
}
