package io.hdfsraid.offline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidshell.RaidShell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Runs one of the benches, and keeps what it says. */
final class BenchShell {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();
  private final String bench;

  BenchShell(String bench) {
    this.bench = bench;
  }

  int run(String... options) {
    return RaidShell.run(
        new PrintWriter(out),
        new PrintWriter(err),
        Stream.concat(Stream.of("bench", bench), Stream.of(options)).toArray(String[]::new));
  }

  /** Rows of a report, by name. */
  static Map<String, JsonNode> rows(Path report) throws IOException {
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    new ObjectMapper()
        .readTree(Files.readString(report))
        .get("rows")
        .forEach(row -> rows.put(row.get("name").asText(), row));
    return rows;
  }

  static double value(JsonNode row) {
    return row.get("value").asDouble();
  }
}
