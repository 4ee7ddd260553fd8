// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.yarn.task.AnswerWritable;
import io.hdfsraid.yarn.task.MailDirectory;
import io.hdfsraid.yarn.task.SharedRate;
import io.hdfsraid.yarn.task.StripeInputFormat;
import io.hdfsraid.yarn.task.StripeMapper;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * The files by which a daemon and the tasks of one job know of each other, whoever runs the tasks.
 * Used by one thread at a time, except that any may {@link #tell}.
 */
public final class StripeJobFiles {
  private static final String BATCHES = "batches";
  private static final String OUTPUTS = "answers";
  private static final String RATE = "rate";
  private static final String MAIL = "mail";

  private final FileSystem fileSystem;
  private final Path workspace;
  private final MailDirectory mail;
  private final TaskAnswers answers;

  /**
   * @param workspace a directory that belongs to the user of the job and is empty
   */
  public StripeJobFiles(FileSystem fileSystem, String workspace) {
    this.fileSystem = fileSystem;
    this.workspace = new Path(workspace);
    this.mail = new MailDirectory(new Path(workspace, MAIL));
    this.answers = new TaskAnswers(fileSystem, new Path(workspace, OUTPUTS), mail);
  }

  /**
   * Writes what tasks need, and returns a job that can be submitted.
   *
   * @param conf of the job
   * @param name for people
   * @param blockPool the block pool of all data
   * @param nodes all DataNodes, from which tasks know their own rack
   * @param bytesPerTask a task gets stripes until it has as many bytes to read
   * @param bytesPerSecond what each task may read and write at first; 0 for no limit
   */
  public Job prepare(
      Configuration conf,
      String name,
      List<? extends Work> stripes,
      String blockPool,
      Collection<DataNode> nodes,
      long bytesPerTask,
      long bytesPerSecond)
      throws IOException {
    StripeInputFormat.prepare(
        conf, fileSystem, new Path(workspace, BATCHES), StripeBatches.of(stripes, bytesPerTask));
    limit(bytesPerSecond);
    boolean unused = fileSystem.mkdirs(mail.path());
    conf.set(StripeMapper.RATE, new Path(workspace, RATE).toString());
    conf.set(StripeMapper.MAIL, mail.path().toString());
    conf.set(StripeMapper.BLOCK_POOL, blockPool);
    conf.set(
        StripeMapper.RACKS,
        nodes.stream()
            .map(node -> node.ip() + "=" + node.rack())
            .distinct()
            .collect(Collectors.joining(",")));
    Job job = Job.getInstance(conf, name);
    job.setInputFormatClass(StripeInputFormat.class);
    job.setMapperClass(StripeMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(AnswerWritable.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, new Path(workspace, OUTPUTS));
    FileOutputFormat.setCompressOutput(job, false); // the daemon has no native codecs
    return job;
  }

  /**
   * Returns what tasks have said since the last call, and what those that ended have answered.
   *
   * @throws IOException if nothing could be read; it is tried again by the next call
   */
  public List<Answer> answers() throws IOException {
    return answers.next();
  }

  /**
   * Tells a task that it may make a repaired unit final.
   *
   * @param order the number of its work in the job
   * @param attempt the name of the task
   */
  public void tell(int order, String attempt, int unit) throws IOException {
    tell(order, attempt, Integer.toString(unit));
  }

  /** Tells a task to drop the units that it has not made final. */
  public void tellToDrop(int order, String attempt) throws IOException {
    tell(order, attempt, MailDirectory.DROP);
  }

  private void tell(int order, String attempt, String what) throws IOException {
    boolean unused = fileSystem.mkdirs(new Path(mail.told(order, attempt), what));
  }

  /**
   * Changes what each task may read and write in a second. Tasks notice it within a quarter of a
   * minute.
   *
   * @param bytesPerSecond 0 for no limit
   */
  public void limit(long bytesPerSecond) throws IOException {
    SharedRate.write(fileSystem, new Path(workspace, RATE), bytesPerSecond);
  }
}
