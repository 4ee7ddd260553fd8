// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.output;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file with the report of a command, as JSON for programs. */
public record ReportFile(Path path) {

  /**
   * Why it cannot be written, as far as that can be told without writing; to be asked before the
   * work whose result it is to hold.
   */
  public Optional<String> problem() {
    Path folder = path.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(path)
            ? Files.isRegularFile(path) && Files.isWritable(path)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    return writable ? Optional.empty() : Optional.of("%s cannot be written".formatted(path));
  }

  /** Overwrites it. */
  public void write(Object report) throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(path, mapper.writeValueAsString(report) + System.lineSeparator());
  }
}
