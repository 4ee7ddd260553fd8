// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.Work;
import io.hdfsraid.yarn.work.WorkFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** The stripes that one task encodes or repairs, and the hosts that hold most of their bytes. */
public final class StripeBatch extends InputSplit implements Writable {
  private List<Work> stripes = List.of();
  private List<String> hosts = List.of();

  /** Called by Hadoop, before {@link #readFields}. */
  public StripeBatch() {}

  /**
   * @param hosts where the task should run, best first
   */
  public StripeBatch(List<? extends Work> stripes, List<String> hosts) {
    this.stripes = List.copyOf(stripes);
    this.hosts = List.copyOf(hosts);
  }

  public List<Work> stripes() {
    return stripes;
  }

  /** Returns the bytes that are read. */
  @Override
  public long getLength() {
    return stripes.stream().mapToLong(Work::bytes).sum();
  }

  @Override
  public String[] getLocations() {
    return hosts.toArray(String[]::new);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(hosts.size());
    for (String host : hosts) {
      out.writeUTF(host);
    }
    out.writeInt(stripes.size());
    for (Work work : stripes) {
      WorkFormat.write(work, out);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    List<String> readHosts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      readHosts.add(in.readUTF());
    }
    List<Work> readStripes = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      readStripes.add(WorkFormat.readWork(in));
    }
    hosts = readHosts;
    stripes = readStripes;
  }
}
