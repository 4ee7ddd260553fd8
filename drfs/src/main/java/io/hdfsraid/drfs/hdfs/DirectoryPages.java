package io.hdfsraid.drfs.hdfs;

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
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (true) {
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
