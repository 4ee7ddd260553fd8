// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.WorkFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/** What a container says of a stripe, as a mapper writes it. */
public final class AnswerWritable implements Writable {
  private Answer answer;

  /** Called by Hadoop, before {@link #readFields}. */
  public AnswerWritable() {}

  public AnswerWritable(Answer answer) {
    this.answer = answer;
  }

  public Answer answer() {
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
