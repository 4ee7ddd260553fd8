// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of commands that start tasks: whether to follow the task to its end. */
public final class FollowOptions {
  @ArgGroup private Which which;

  static final class Which {
    @Option(
        names = "--wait",
        description =
            "Follow the task to its end, and end with its exit code. Default on a terminal.")
    private boolean follows;

    @Option(
        names = "--detach",
        description = "End as soon as the task is queued. Default without a terminal.")
    private boolean detaches;
  }

  /** Returns whether to follow the task. */
  public boolean follows() {
    return which == null ? Terminal.watched() : which.follows && !which.detaches;
  }
}
