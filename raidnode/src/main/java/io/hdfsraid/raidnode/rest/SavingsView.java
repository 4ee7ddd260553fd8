package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.SavingsReport;
import java.io.IOException;

/** What raiding saves. Changes nothing. */
@FunctionalInterface
public interface SavingsView {
  /**
   * What raiding saves below a path.
   *
   * @param depth how many levels of directories below the path have a row of their own
   * @param complete ask HDFS for the blocks of every file under parity, and not of a sample
   */
  SavingsReport savings(String below, int depth, boolean complete) throws IOException;
}
