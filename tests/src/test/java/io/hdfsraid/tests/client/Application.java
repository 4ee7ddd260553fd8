package io.hdfsraid.tests.client;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An application as users write them: it knows Hadoop, and its configuration knows us. Copies a
 * file to its standard output, twice.
 */
final class Application {
  private static final int BUFFER = 4_096;

  private Application() {}

  /** Takes the URI of the file. */
  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create(arguments[0]);
    Path path = new Path(uri);
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsraid.drfs.fs.RaidFs");
    try (FileSystem fs = FileSystem.get(uri, conf);
        FSDataInputStream in = fs.open(path)) {
      copy(in);
    }
    try (FSDataInputStream in = FileContext.getFileContext(uri, conf).open(path)) {
      copy(in);
    }
    System.out.flush();
  }

  private static void copy(FSDataInputStream in) throws Exception {
    byte[] buffer = new byte[BUFFER];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      System.out.write(buffer, 0, count);
    }
  }
}
