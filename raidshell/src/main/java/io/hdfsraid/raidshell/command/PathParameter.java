// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import picocli.CommandLine.Parameters;

/** The path parameter of commands that show a file, or everything below a directory. */
public final class PathParameter {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPathConverter.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  public String path() {
    return path;
  }
}
