// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/**
 * A YARN with MapReduce on the HDFS that {@code core-site.xml} on the class path names. Takes the
 * number of NodeManagers, and the file into which it writes its configuration when it is up. It
 * ends when its standard input does.
 */
final class YarnProcess {
  private static final int FAILED = 1;

  private YarnProcess() {}

  public static void main(String[] arguments) {
    int exitCode = FAILED;
    try {
      run(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
      exitCode = 0;
    } catch (IOException | RuntimeException | LinkageError e) {
      e.printStackTrace(System.err);
    }
    System.exit(exitCode); // threads of YARN may be left
  }

  private static void run(int nodeManagers, Path report) throws IOException {
    try (MiniMRYarnCluster yarn = new MiniMRYarnCluster("yarn", nodeManagers)) {
      yarn.init(small());
      yarn.start();
      Path written = Path.of(report + ".part");
      try (OutputStream out = Files.newOutputStream(written)) {
        yarn.getConfig().writeXml(out);
      }
      Files.move(written, report, StandardCopyOption.ATOMIC_MOVE);
      while (System.in.read() >= 0) {
        // only its end counts
      }
    }
  }

  /** A YARN that fits a small machine. */
  private static Configuration small() {
    Configuration conf = new Configuration();
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    conf.setInt("yarn.nodemanager.resource.memory-mb", 2048);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    // A job that ends is gone at once.
    conf.setInt("yarn.app.mapreduce.client-am.ipc.max-retries", 1);
    return conf;
  }
}
