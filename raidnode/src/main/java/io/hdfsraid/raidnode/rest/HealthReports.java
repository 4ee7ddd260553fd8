package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PlacementReport;
import io.hdfsraid.raidapi.SkewReport;
import java.io.IOException;

/** How well raided files are, asked of HDFS now. Changes nothing. */
public interface HealthReports {
  /** What is lost below a path, and what that means. */
  FsckReport fsck(String below, Paging paging) throws IOException;

  /** How the units of the stripes below a path are spread. */
  PlacementReport placement(String below, Paging paging) throws IOException;

  /** How evenly bytes are spread over all nodes. */
  SkewReport skew() throws IOException;
}
