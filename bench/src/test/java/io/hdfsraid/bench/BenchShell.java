// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Runs one of the benches, and keeps what it says. */
public final class BenchShell {
  public final StringWriter out = new StringWriter();
  public final StringWriter err = new StringWriter();
  private final String bench;

  public BenchShell(String bench) {
    this.bench = bench;
  }

  public int run(String... options) {
    return Bench.run(
        new PrintWriter(out),
        new PrintWriter(err),
        Stream.concat(Stream.of(bench), Stream.of(options)).toArray(String[]::new));
  }

  /** Rows of a report, by name. */
  public static Map<String, JsonNode> rows(Path report) throws IOException {
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    new ObjectMapper()
        .readTree(Files.readString(report))
        .get("rows")
        .forEach(row -> rows.put(row.get("name").asText(), row));
    return rows;
  }

  public static double value(JsonNode row) {
    return row.get("value").asDouble();
  }
}
