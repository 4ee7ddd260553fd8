// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Gives each task a batch of stripes. The daemon writes the batches to a file, from which they are
 * read once, when the job is submitted; tasks get theirs with their splits.
 */
public final class StripeInputFormat extends InputFormat<NullWritable, WorkWritable> {
  private static final String BATCHES = "hdfs-raid.batches";

  /** Writes the batches of a job to a file, and names it in the configuration of the job. */
  public static void prepare(
      Configuration conf, FileSystem fileSystem, Path file, List<StripeBatch> batches)
      throws IOException {
    boolean overwrite = false;
    try (FSDataOutputStream out = fileSystem.create(file, overwrite)) {
      out.writeInt(batches.size());
      for (StripeBatch batch : batches) {
        batch.write(out);
      }
    }
    conf.set(BATCHES, file.toString());
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    Path file = new Path(conf.get(BATCHES));
    List<InputSplit> splits = new ArrayList<>();
    try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
      for (int left = in.readInt(); left > 0; left--) {
        StripeBatch batch = new StripeBatch();
        batch.readFields(in);
        splits.add(batch);
      }
    }
    return splits;
  }

  @Override
  public RecordReader<NullWritable, WorkWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader(((StripeBatch) split).stripes());
  }

  /** Goes through the stripes of a batch. Progress is by bytes, as far as stripes are done. */
  private static final class Reader extends RecordReader<NullWritable, WorkWritable> {
    private final List<Work> stripes;
    private final long bytes;
    private long done;
    private int next;

    Reader(List<Work> stripes) {
      this.stripes = stripes;
      this.bytes = Math.max(1, stripes.stream().mapToLong(Work::bytes).sum());
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {}

    @Override
    public boolean nextKeyValue() {
      if (next > 0) {
        done += stripes.get(next - 1).bytes();
      }
      return next++ < stripes.size();
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public WorkWritable getCurrentValue() {
      return new WorkWritable(stripes.get(next - 1));
    }

    @Override
    public float getProgress() {
      return (float) done / bytes;
    }

    @Override
    public void close() {}
  }
}
