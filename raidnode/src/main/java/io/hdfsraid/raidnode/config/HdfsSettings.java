// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.Duration;
import io.dropwizard.validation.MaxDuration;
import io.dropwizard.validation.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where the parity lies on HDFS, and how much load the daemon puts on HDFS. The Hadoop
 * configuration says which HDFS it is.
 *
 * @param nameservices the nameservices that the daemon guards; default: the one of the Hadoop
 *     configuration
 * @param routers web addresses of the routers whose clients read the files; default: none
 * @param root directory of the parity files; default {@code /.raid}
 * @param rack network location of the daemon's machine; empty: that of the DataNode on it
 * @param streamsPerDataNode most simultaneous data streams of one DataNode; default 4
 * @param nameNodeCallsPerSecond calls of the NameNode per second; default 1000, 0 for no limit
 * @param dataNodeTimeout longest wait for an answer of a DataNode; after it, the DataNode is not
 *     asked again for the same time; default 1 minute
 */
public record HdfsSettings(
    List<
            @NotNull
            @Pattern(
                regexp = "(?!images$|namespace$)[A-Za-z0-9_-][A-Za-z0-9._-]*",
                message = "must be the name of a nameservice, and not images or namespace")
            String>
        nameservices,
    List<@NotNull URI> routers,
    @Pattern(
            regexp = "(/[^/]+)+",
            message = "must be an absolute path of at least one name, without a '/' at its end")
        String root,
    Optional<
            @Pattern(
                regexp = "(/[^/]+)+",
                message = "must be a network location such as /rack1 or /dc1/rack1")
            String>
        rack,
    @Min(1) @Max(10_000) Integer streamsPerDataNode,
    @Min(0) @Max(1_000_000) Integer nameNodeCallsPerSecond,
    @MinDuration(value = 1, unit = TimeUnit.SECONDS) @MaxDuration(value = 1, unit = TimeUnit.HOURS)
        Duration dataNodeTimeout) {
  public HdfsSettings {
    nameservices = requireNonNullElse(nameservices, List.of());
    routers = requireNonNullElse(routers, List.of());
    root = requireNonNullElse(root, "/.raid");
    // A key without a value arrives as an empty string.
    rack = rack == null ? Optional.empty() : rack.filter(name -> !name.isEmpty());
    streamsPerDataNode = requireNonNullElse(streamsPerDataNode, 4);
    nameNodeCallsPerSecond = requireNonNullElse(nameNodeCallsPerSecond, 1_000);
    dataNodeTimeout = requireNonNullElse(dataNodeTimeout, Duration.minutes(1));
  }
}
