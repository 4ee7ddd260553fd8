// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The facts about a library that passed its trial.
 *
 * @param file with symbolic links followed; empty where the system does not tell
 * @param version such as 2.30; empty when neither the library nor the name of its file tells
 * @param implementation the implementation that the library has chosen for this processor, e.g.
 *     {@code avx512_gfni}; empty where that cannot be told
 */
record IsaFacts(Optional<Path> file, Optional<String> version, Optional<String> implementation) {

  /** In words, for people. */
  String detail() {
    return "ISA-L %s, %s%s"
        .formatted(
            version.orElse("of unknown version"),
            implementation.orElse("instruction set unknown"),
            file.map(path -> ", " + path).orElse(""));
  }
}
