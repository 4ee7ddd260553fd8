package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.PoliciesView;
import java.io.IOException;

/** The policies, and what they say about a file. */
public interface PolicyAnswers {
  PoliciesView policies();

  /**
   * Why the file at a path is treated as it is.
   *
   * @throws ApiFailure when there is no file
   */
  Explanation explain(String path) throws IOException;
}
