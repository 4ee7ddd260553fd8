// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An open file of each of several rivals. */
final class OpenFiles implements Closeable {
  private final Map<Rival, OpenFile> files = new LinkedHashMap<>();

  /** Opens a file. */
  @FunctionalInterface
  interface Opening {
    OpenFile of(Rival rival, Random random) throws IOException;
  }

  OpenFiles(List<Rival> rivals, Opening opening, Random random) throws IOException {
    try {
      for (Rival rival : rivals) {
        files.put(rival, opening.of(rival, random));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  OpenFile of(Rival rival) {
    return files.get(rival);
  }

  @Override
  public void close() throws IOException {
    for (OpenFile file : files.values()) {
      file.close();
    }
  }
}
