// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.Work;
import io.hdfsraid.yarn.work.WorkFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/** Work on one stripe, as MapReduce hands it to a mapper. */
public final class WorkWritable implements Writable {
  private Work work;

  /** Called by Hadoop, before {@link #readFields}. */
  public WorkWritable() {}

  public WorkWritable(Work work) {
    this.work = work;
  }

  public Work work() {
    return work;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WorkFormat.write(work, out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    work = WorkFormat.readWork(in);
  }
}
