// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars of an installed Hadoop, as entries of a class path.
 *
 * @param entries directories with a star
 */
public record HadoopJars(List<String> entries) {
  private static final List<String> OF_AN_INSTALLATION =
      List.of("common", "common/lib", "hdfs", "hdfs/lib", "yarn", "yarn/lib", "mapreduce");

  public HadoopJars {
    entries = List.copyOf(entries);
  }

  /**
   * Finds the directories with the jars of HDFS, YARN and MapReduce.
   *
   * @param hadoop a Hadoop as it is unpacked, or a directory with all its jars
   * @throws IOException if it is neither; the message says so
   */
  public static HadoopJars of(Path hadoop) throws IOException {
    Path share = hadoop.resolve("share/hadoop");
    List<Path> directories =
        Files.isDirectory(share)
            ? OF_AN_INSTALLATION.stream().map(share::resolve).toList()
            : List.of(hadoop);
    boolean hasYarn = false;
    for (Path directory : directories) {
      hasYarn |= hasResourceManager(directory);
    }
    if (!hasYarn) {
      throw new IOException(
          "%s is no Hadoop with a YARN: it has no share/hadoop/yarn, and no hadoop-yarn-server-resourcemanager among its jars"
              .formatted(hadoop));
    }
    return new HadoopJars(
        directories.stream().map(each -> each.toAbsolutePath().normalize() + "/*").toList());
  }

  private static boolean hasResourceManager(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> jars = Files.list(directory)) {
      return jars.anyMatch(
          jar -> jar.getFileName().toString().startsWith("hadoop-yarn-server-resourcemanager-"));
    }
  }
}
