// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.drfs.manifest.ManifestFormat;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidapi.version.VersionReport;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.hdfs.HadoopVersion;
import io.hdfsraid.recency.index.NamespaceIndex;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Says what this process is built from and runs on. */
final class Versions {
  private Versions() {}

  static VersionReport report() {
    Build build = Build.current();
    return new VersionReport(
        build.version(),
        build.commit(),
        build.committedAt(),
        ApiPaths.ROOT.substring(ApiPaths.ROOT.lastIndexOf('/') + 1),
        HadoopVersion.ofClient(),
        Runtime.version().toString(),
        new TreeMap<>(
            Map.of(
                "manifest", ManifestFormat.VERSION,
                "catalog", Catalog.FORMAT,
                "index", NamespaceIndex.FORMAT)));
  }

  /** Returns the report for people, one line for each part. */
  static String text() {
    VersionReport report = report();
    return """
        raidnode %s
        REST API %s
        Hadoop client %s
        Java %s
        Formats: %s"""
        .formatted(
            Build.current(),
            report.api(),
            report.hadoop(),
            report.java(),
            report.formats().entrySet().stream()
                .map(format -> format.getKey() + " " + format.getValue())
                .collect(Collectors.joining(", ")));
  }
}
