// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** A columnar format, written and read by its own library. */
interface ColumnarFormat {
  void write(Path file, Configuration conf, List<Row> rows) throws IOException;

  List<Row> read(Path file, Configuration conf) throws IOException;

  /** Reads one column and leaves out the others. */
  List<Double> readAmounts(Path file, Configuration conf) throws IOException;
}
