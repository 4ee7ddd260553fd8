// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import java.time.Duration;

/** Receives the end of each run of a job. */
@FunctionalInterface
public interface JobListener {
  void ended(String job, Duration took, boolean succeeded);
}
