// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kernels of this version, their state on this machine, and the kernels in use.
 *
 * @param kernels all kernels of this version, also those that this machine cannot use
 * @param inUse for each kind of matrix; empty before the first multiplication or choice
 */
public record KernelReport(List<Entry> kernels, Map<MatrixKind, Choice> inUse) {

  public KernelReport {
    kernels = List.copyOf(kernels);
    Map<MatrixKind, Choice> ordered = new EnumMap<>(MatrixKind.class);
    ordered.putAll(inUse);
    inUse = Collections.unmodifiableMap(ordered);
  }

  /** The result of loading and testing a kernel. */
  public enum State {
    /** The kernel has not been tested yet. */
    UNTESTED,
    /** This machine cannot use the kernel. */
    UNAVAILABLE,
    /** The kernel gave the right bytes. */
    RIGHT,
    /** The kernel gave wrong bytes and is not used. */
    WRONG
  }

  /**
   * One kernel.
   *
   * @param detail the version of a library, the instruction set; empty unless it was loaded
   * @param problem why it cannot be used and, if known, what would help; empty if it can
   */
  public record Entry(
      String name, State state, Optional<String> detail, Optional<String> problem) {}

  /**
   * The kernel in use.
   *
   * @param reason in words
   */
  public record Choice(String kernel, String reason) {}
}
