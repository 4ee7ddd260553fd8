// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.StripeAnswer;
import io.hdfsraid.yarn.work.WorkFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/** What became of a stripe, as a mapper writes it. */
public final class AnswerWritable implements Writable {
  private StripeAnswer answer;

  /** Called by Hadoop, before {@link #readFields}. */
  public AnswerWritable() {}

  public AnswerWritable(StripeAnswer answer) {
    this.answer = answer;
  }

  public StripeAnswer answer() {
    return answer;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WorkFormat.write(answer, out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    answer = WorkFormat.readAnswer(in);
  }
}
