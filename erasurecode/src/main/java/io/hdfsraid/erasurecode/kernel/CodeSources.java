// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/**
 * Finds the jars and folders that classes were loaded from, so that another process can load them,
 * too.
 */
final class CodeSources {
  private CodeSources() {}

  /** Empty when the class is not from a jar or a folder of its own in the default file system. */
  static Optional<Path> fileOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(source.getLocation().toURI())).filter(Files::exists);
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return Optional.empty();
    }
  }
}
