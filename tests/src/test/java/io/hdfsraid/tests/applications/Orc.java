// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;

/** ORC, in several stripes, which may lie on two blocks. */
record Orc() implements ColumnarFormat {
  private static final TypeDescription SCHEMA =
      TypeDescription.fromString("struct<id:bigint,text:string,amount:double>");
  private static final TypeDescription AMOUNTS =
      TypeDescription.fromString("struct<amount:double>");
  private static final long STRIPE = 100_000;

  @Override
  public void write(Path file, Configuration conf, List<Row> rows) throws IOException {
    OrcFile.WriterOptions options =
        OrcFile.writerOptions(conf)
            .setSchema(SCHEMA)
            .stripeSize(STRIPE)
            .blockSize(DegradedHdfs.BLOCK)
            .blockPadding(false)
            .compress(CompressionKind.ZSTD);
    try (Writer writer = OrcFile.createWriter(file, options)) {
      VectorizedRowBatch batch = SCHEMA.createRowBatch();
      LongColumnVector ids = (LongColumnVector) batch.cols[0];
      BytesColumnVector texts = (BytesColumnVector) batch.cols[1];
      DoubleColumnVector amounts = (DoubleColumnVector) batch.cols[2];
      for (Row row : rows) {
        int at = batch.size++;
        ids.vector[at] = row.id();
        texts.setVal(at, row.text().getBytes(StandardCharsets.UTF_8));
        amounts.vector[at] = row.amount();
        if (batch.size == batch.getMaxSize()) {
          writer.addRowBatch(batch);
          batch.reset();
        }
      }
      writer.addRowBatch(batch);
    }
  }

  @Override
  public List<Row> read(Path file, Configuration conf) throws IOException {
    List<Row> rows = new ArrayList<>();
    forEach(
        file,
        conf,
        SCHEMA,
        (batch, at) ->
            rows.add(
                new Row(
                    ((LongColumnVector) batch.cols[0]).vector[at],
                    ((BytesColumnVector) batch.cols[1]).toString(at),
                    ((DoubleColumnVector) batch.cols[2]).vector[at])));
    return rows;
  }

  @Override
  public List<Double> readAmounts(Path file, Configuration conf) throws IOException {
    List<Double> amounts = new ArrayList<>();
    forEach(
        file,
        conf,
        AMOUNTS,
        (batch, at) -> amounts.add(((DoubleColumnVector) batch.cols[0]).vector[at]));
    return amounts;
  }

  private static void forEach(
      Path file,
      Configuration conf,
      TypeDescription columns,
      ObjIntConsumer<VectorizedRowBatch> use)
      throws IOException {
    try (Reader reader = OrcFile.createReader(file, OrcFile.readerOptions(conf));
        RecordReader rows = reader.rows(reader.options().schema(columns))) {
      VectorizedRowBatch batch = columns.createRowBatch();
      while (rows.nextBatch(batch)) {
        for (int i = 0; i < batch.size; i++) {
          use.accept(batch, i);
        }
      }
    }
  }
}
