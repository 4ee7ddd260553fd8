// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * An error in a settings file, or a setting that is allowed but probably not meant.
 *
 * @param line the line of the key or, if the key is missing, of the section that lacks it; empty
 *     for the file as a whole
 * @param key the place in the file, such as {@code policies[2].codec}; empty for the file as a
 *     whole
 * @param message what is wrong, with the value found, as a clause whose subject is the key
 */
public record SettingsProblem(Path file, Optional<Integer> line, String key, String message) {
  @Override
  public String toString() {
    return key.isEmpty()
        ? "%s: %s".formatted(file, sentence())
        : "%s: %s: %s".formatted(file, key, sentence());
  }

  /** The message, with the line. */
  public String sentence() {
    return message + line.map(" (line %d)"::formatted).orElse("");
  }
}
