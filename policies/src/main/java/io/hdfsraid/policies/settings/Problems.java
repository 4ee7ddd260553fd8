// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Collects errors in a settings file, and warnings about settings that are allowed but probably not
 * meant.
 */
public final class Problems {
  private final Path file;
  private final List<SettingsProblem> problems = new ArrayList<>();
  private final List<SettingsProblem> warnings = new ArrayList<>();
  private Function<String, Optional<Integer>> lines = key -> Optional.empty();

  /** Begins without any; {@code file} names the file in messages. */
  public Problems(Path file) {
    this.file = file;
  }

  /** From now on each problem has the line that this function finds for its key. */
  public void findLinesBy(Function<String, Optional<Integer>> lineOfKey) {
    lines = lineOfKey;
  }

  /**
   * Adds a problem.
   *
   * @param key the place in the file; empty for the file as a whole
   * @param message what is wrong, as a clause whose subject is the key
   */
  public void add(String key, String message) {
    problems.add(new SettingsProblem(file, lines.apply(key), key, message));
  }

  /** Adds a warning, like {@link #add}. */
  public void warn(String key, String message) {
    warnings.add(new SettingsProblem(file, lines.apply(key), key, message));
  }

  /** The problems so far, in the order in which they were found. */
  public List<SettingsProblem> found() {
    return List.copyOf(problems);
  }

  /** The warnings so far. */
  public List<SettingsProblem> warnings() {
    return List.copyOf(warnings);
  }

  public boolean isEmpty() {
    return problems.isEmpty();
  }

  public int size() {
    return problems.size();
  }
}
