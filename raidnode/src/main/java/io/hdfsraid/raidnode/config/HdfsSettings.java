package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import jakarta.validation.constraints.Pattern;

/**
 * Where things are on HDFS. Which HDFS it is stands in the Hadoop configuration.
 *
 * @param root the directory of the parity files; default {@code /.raid}
 */
public record HdfsSettings(
    @Pattern(
            regexp = "(/[^/]+)+",
            message = "must be an absolute path of at least one name, without a '/' at its end")
        String root) {
  public HdfsSettings {
    root = requireNonNullElse(root, "/.raid");
  }
}
