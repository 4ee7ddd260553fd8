package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.StormAnswer;
import io.hdfsraid.raidapi.StormRequest;
import java.io.IOException;

/** Says that most repairs pause, and ends it. A dry run changes nothing. */
public interface StormDesk {
  /** Asked of HDFS now. */
  StormAnswer storm() throws IOException;

  StormAnswer override(StormRequest request) throws IOException;
}
