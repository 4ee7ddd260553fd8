// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.lang.reflect.Constructor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs HDFS's own balancer as {@code hdfs balancer} does. Its only public entry point is a main
 * method that ends the process, so its command line tool is created by reflection.
 */
final class HadoopBalancer {
  private static final String TOOL = "org.apache.hadoop.hdfs.server.balancer.Balancer$Cli";

  private HadoopBalancer() {}

  static void run(Configuration conf, int threshold) throws IOException {
    conf.setLong("dfs.balancer.getBlocks.min-block-size", 1);
    int code;
    try {
      Constructor<?> constructor = Class.forName(TOOL).getDeclaredConstructor();
      constructor.setAccessible(true);
      code =
          ToolRunner.run(
              conf,
              (Tool) constructor.newInstance(),
              new String[] {"-threshold", Integer.toString(threshold), "-idleiterations", "2"});
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("The balancer could not be run", e);
    }
    // Its exit codes: 0 balanced, -3 no progress any more, -1 no block can be moved.
    if (code != 0 && code != -1 && code != -3) {
      throw new IOException("The balancer ended with code " + code);
    }
  }
}
