// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Parquet, in several row groups, with or without vectored reads. */
record Parquet(boolean vectored) implements ColumnarFormat {
  private static final String VECTORED = "parquet.hadoop.vectored.io.enabled";
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message row { required int64 id; required binary text (STRING);"
              + " required double amount; }");
  private static final String AMOUNTS = "message row { required double amount; }";

  /** No longer than a block, or Parquet makes blocks as long as that. */
  private static final long ROW_GROUP = DegradedHdfs.BLOCK;

  private static final int PAGE = 20_000;

  /** Row groups may lie on two blocks. */
  private static final int NO_PADDING = 0;

  @Override
  public void write(Path file, Configuration conf, List<Row> rows) throws IOException {
    SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(HadoopOutputFile.fromPath(file, conf))
            .withConf(conf)
            .withType(SCHEMA)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize(ROW_GROUP)
            .withPageSize(PAGE)
            .withMaxPaddingSize(NO_PADDING)
            .build()) {
      for (Row row : rows) {
        writer.write(
            groups
                .newGroup()
                .append("id", row.id())
                .append("text", row.text())
                .append("amount", row.amount()));
      }
    }
  }

  @Override
  public List<Row> read(Path file, Configuration conf) throws IOException {
    List<Row> rows = new ArrayList<>();
    forEach(
        file,
        conf,
        SCHEMA.toString(),
        group ->
            rows.add(
                new Row(
                    group.getLong("id", 0),
                    group.getString("text", 0),
                    group.getDouble("amount", 0))));
    return rows;
  }

  @Override
  public List<Double> readAmounts(Path file, Configuration conf) throws IOException {
    List<Double> amounts = new ArrayList<>();
    forEach(file, conf, AMOUNTS, group -> amounts.add(group.getDouble("amount", 0)));
    return amounts;
  }

  private void forEach(Path file, Configuration conf, String columns, Consumer<Group> use)
      throws IOException {
    Configuration reading = new Configuration(conf);
    reading.setBoolean(VECTORED, vectored);
    reading.set(ReadSupport.PARQUET_READ_SCHEMA, columns);
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), file).withConf(reading).build()) {
      for (Group group = reader.read(); group != null; group = reader.read()) {
        use.accept(group);
      }
    }
  }
}
