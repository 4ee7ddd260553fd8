// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A Hadoop archive as {@code hadoop archive} lays it out, version 3: the contents one after another
 * in {@code part-0}, where each begins in {@code _index}, and the way into that in {@code
 * _masterindex}. The tool itself is a MapReduce job.
 */
final class Archive {
  private static final int LARGEST_HASH = Integer.MAX_VALUE;

  private Archive() {}

  /** Writes an archive of files in its top directory. */
  static void write(FileSystem fs, Path archive, Map<String, byte[]> files) throws IOException {
    StringBuilder index = new StringBuilder();
    index.append("%2F dir ").append(properties("755")).append(" 0 0 ");
    files.keySet().forEach(name -> index.append(encoded(name)).append(' '));
    index.append('\n');
    long offset = 0;
    try (OutputStream part = fs.create(new Path(archive, "part-0"))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        byte[] bytes = file.getValue();
        part.write(bytes);
        index.append(
            "%s file part-0 %d %d %s \n"
                .formatted(encoded("/" + file.getKey()), offset, bytes.length, properties("644")));
        offset += bytes.length;
      }
    }
    write(fs, new Path(archive, "_index"), index.toString());
    write(
        fs,
        new Path(archive, "_masterindex"),
        "3 \n0 %d 0 %d \n".formatted(LARGEST_HASH, index.toString().getBytes(UTF_8).length));
  }

  /** Time, mode, owner and group, as one word. */
  private static String properties(String octal) {
    return encoded("%d %d alice staff".formatted(1_700_000_000_000L, Integer.parseInt(octal, 8)));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static void write(FileSystem fs, Path path, String text) throws IOException {
    try (OutputStream out = fs.create(path)) {
      out.write(text.getBytes(UTF_8));
    }
  }
}
