// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.table;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SequenceWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** An object of JSON in each line, of which all are parsed. */
final class JsonLines implements TableFormat {
  private static final int BUFFER = 64 << 10;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ObjectReader ROWS = MAPPER.readerFor(Sale.class);

  @Override
  public String scanned() {
    return "JSON lines";
  }

  @Override
  public String extension() {
    return "json";
  }

  @Override
  public void write(FileSystem fs, Path file, short replication, long blockBytes, long bytes)
      throws IOException {
    try (OutputStream out = fs.create(file, true, BUFFER, replication, blockBytes);
        SequenceWriter writer = MAPPER.writer().withRootValueSeparator("\n").writeValues(out)) {
      Sale.rows(bytes, row -> write(writer, row));
    }
  }

  private static void write(SequenceWriter writer, Sale row) {
    try {
      SequenceWriter unused = writer.write(row);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long scan(FileSystem fs, Path file) throws IOException {
    long cents = 0;
    try (InputStream in = fs.open(file, BUFFER);
        MappingIterator<Sale> rows = ROWS.readValues(in)) {
      while (rows.hasNextValue()) {
        cents += TableFormat.cents(rows.nextValue().amount());
      }
    }
    return cents;
  }
}
