// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import com.fasterxml.jackson.core.type.TypeReference;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidshell.RaidShell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The command line of the shell, with what it prints and its exit code. */
final class Shell {
  private final URI daemon;

  Shell(URI daemon) {
    this.daemon = daemon;
  }

  record Answer(int exitCode, String out, String err) {
    <T> T json(TypeReference<T> type) throws IOException {
      return ApiJson.mapper().readValue(out, type);
    }

    /** The words of the first line that has this one. */
    List<String> row(String word) {
      return out.lines()
          .map(line -> List.of(line.strip().split("\\s+")))
          .filter(words -> words.contains(word))
          .findFirst()
          .orElseThrow(() -> new AssertionError("No line has " + word + ":\n" + this));
    }

    @Override
    public String toString() {
      return "exit code %d%n%s%s".formatted(exitCode, out, err);
    }
  }

  Answer run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--url=" + daemon));
    all.addAll(List.of(arguments));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        RaidShell.run(
            new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    return new Answer(exitCode, out.toString(), err.toString());
  }
}
