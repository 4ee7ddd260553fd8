// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Parquet, of which one column is read by vectored reads. */
final class ParquetColumns implements TableFormat {
  private static final String ALL_COLUMNS =
      "message sale { required int64 id; required binary shop (STRING);"
          + " required double amount; required binary note (STRING); }";
  private static final String AMOUNTS = "message sale { required double amount; }";
  private static final int PAGE = 64 << 10;

  @Override
  public String scanned() {
    return "a column of Parquet";
  }

  @Override
  public String extension() {
    return "parquet";
  }

  /** A file of an open file system. */
  private record NewFile(FileSystem fs, Path path, short replication, long blockBytes)
      implements OutputFile {
    private static final int BUFFER = 64 << 10;

    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
      return HadoopStreams.wrap(fs.create(path, true, BUFFER, replication, blockBytes));
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
      return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
      return false; // row groups may lie on two blocks
    }

    @Override
    public long defaultBlockSize() {
      return blockBytes;
    }
  }

  /** A file of an open file system. */
  private record WrittenFile(FileSystem fs, Path path) implements InputFile {
    @Override
    public long getLength() throws IOException {
      return fs.getFileStatus(path).getLen();
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
      return HadoopStreams.wrap(fs.open(path));
    }
  }

  private static final class Rows extends ParquetReader.Builder<Group> {
    Rows(InputFile file) {
      super(file);
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  @Override
  public void write(FileSystem fs, Path file, short replication, long blockBytes, long bytes)
      throws IOException {
    // Parsed here: the parser logs, and where to is not known before a benchmark begins.
    MessageType schema = MessageTypeParser.parseMessageType(ALL_COLUMNS);
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new NewFile(fs, file, replication, blockBytes))
            .withConf(fs.getConf())
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .withDictionaryEncoding(false)
            .withRowGroupSize(blockBytes / 2)
            .withPageSize(PAGE)
            .build()) {
      Sale.rows(bytes, row -> write(writer, groups, row));
    }
  }

  private static void write(ParquetWriter<Group> writer, SimpleGroupFactory groups, Sale row) {
    try {
      writer.write(
          groups
              .newGroup()
              .append("id", row.id())
              .append("shop", row.shop())
              .append("amount", row.amount())
              .append("note", row.note()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long scan(FileSystem fs, Path file) throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.set(ReadSupport.PARQUET_READ_SCHEMA, AMOUNTS);
    long cents = 0;
    try (ParquetReader<Group> reader = new Rows(new WrittenFile(fs, file)).withConf(conf).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        cents += TableFormat.cents(row.getDouble("amount", 0));
      }
    }
    return cents;
  }
}
