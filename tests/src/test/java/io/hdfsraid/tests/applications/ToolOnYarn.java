// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs a tool of MapReduce as {@code hadoop jar} does, on a YARN of its own: the application master
 * and every task are processes. The configuration, {@code core-site.xml} on the class path, knows
 * HDFS and perhaps us.
 */
final class ToolOnYarn {
  private static final int FAILED = 1;

  private ToolOnYarn() {}

  /** Takes the class of the tool, and its arguments. Exits as the tool does. */
  public static void main(String[] arguments) {
    int exitCode = FAILED;
    try {
      exitCode = run(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (Exception | LinkageError e) {
      e.printStackTrace(System.err);
    }
    System.exit(exitCode); // threads of YARN may be left
  }

  private static int run(String tool, String[] arguments) throws Exception {
    try (MiniMRYarnCluster yarn = new MiniMRYarnCluster("yarn", 1)) {
      yarn.init(small());
      yarn.start();
      Configuration job = new Configuration(yarn.getConfig());
      return ToolRunner.run(
          job,
          ReflectionUtils.newInstance(job.getClassByName(tool).asSubclass(Tool.class), job),
          arguments);
    }
  }

  /** A YARN that fits a small machine. */
  private static Configuration small() {
    Configuration conf = new Configuration();
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    conf.set("mapred.child.java.opts", "-Xmx200m -XX:TieredStopAtLevel=1");
    return conf;
  }
}
