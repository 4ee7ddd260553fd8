package io.hdfsraid.drfs.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Lists directories of any size page by page. */
final class Pages {
  private Pages() {}

  interface Entry {
    void accept(HdfsFileStatus entry) throws IOException;
  }

  /** Nothing when the directory is not there. */
  static void forEach(DFSClient client, String directory, Entry entry) throws IOException {
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
