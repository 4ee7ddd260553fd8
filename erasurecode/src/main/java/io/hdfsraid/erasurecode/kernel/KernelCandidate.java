// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.KernelReport.State;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kernel that this machine may be unable to use. It is loaded and tested when it is first asked
 * for, because a native library stays in the process for good. Safe for concurrent use.
 */
final class KernelCandidate {
  private final String name;
  private final Loader loader;
  private final Function<Kernel, Optional<String>> test;

  /** Null before the test. Read without the lock, because loading can take seconds. */
  private volatile Result result;

  /** Makes a kernel, or says why there is none. */
  @FunctionalInterface
  interface Loader {
    Kernel load() throws KernelUnavailableException;
  }

  /** The usable kernel, if there is one, and the entry for reports. */
  private record Result(Optional<Kernel> usable, Entry entry) {}

  /**
   * @param name that of the kernel
   * @param test the first fault of the kernel, in words; empty when there is none
   */
  KernelCandidate(String name, Loader loader, Function<Kernel, Optional<String>> test) {
    this.name = name;
    this.loader = loader;
    this.test = test;
  }

  String name() {
    return name;
  }

  /** Loads and tests the kernel at the first call. Empty if the kernel must not be used. */
  synchronized Optional<Kernel> usable() {
    if (result == null) {
      result = loadAndTest();
    }
    return result.usable();
  }

  /** Loads and tests nothing. */
  Entry entry() {
    Result known = result;
    return known != null
        ? known.entry()
        : new Entry(name, State.UNTESTED, Optional.empty(), Optional.empty());
  }

  private Result loadAndTest() {
    Kernel kernel;
    try {
      kernel = loader.load();
    } catch (KernelUnavailableException e) {
      return new Result(
          Optional.empty(),
          new Entry(name, State.UNAVAILABLE, Optional.empty(), Optional.of(e.getMessage())));
    }
    Optional<String> detail = Optional.of(kernel.detail());
    return fault(kernel)
        .map(
            fault ->
                "The kernel gives wrong bytes on this machine and is not used: %s. Please report this with the version of Java and the processor"
                    .formatted(fault))
        .map(
            problem ->
                new Result(
                    Optional.empty(), new Entry(name, State.WRONG, detail, Optional.of(problem))))
        .orElseGet(
            () ->
                new Result(
                    Optional.of(kernel), new Entry(name, State.RIGHT, detail, Optional.empty())));
  }

  private Optional<String> fault(Kernel kernel) {
    try {
      return test.apply(kernel);
    } catch (RuntimeException | LinkageError e) {
      return Optional.of("the test ended with " + e);
    }
  }
}
