package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.KernelReport.State;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kernel that may or may not be usable on this machine. It is loaded and tested when it is first
 * asked for and not before, as a native library stays in the process for good. Safe for concurrent
 * use.
 */
final class Candidate {
  private final String name;
  private final Loader loader;
  private final Function<Kernel, Optional<String>> test;

  /** Null until it is known; read without the lock, as loading can take seconds. */
  private volatile Finding finding;

  /** Makes a kernel, or says why there is none. */
  @FunctionalInterface
  interface Loader {
    Kernel load() throws KernelUnavailableException;
  }

  /**
   * @param name that of the kernel
   * @param test the first fault of the kernel, in words; empty when there is none
   */
  Candidate(String name, Loader loader, Function<Kernel, Optional<String>> test) {
    this.name = name;
    this.loader = loader;
    this.test = test;
  }

  String name() {
    return name;
  }

  /**
   * What came of loading and testing it: the same each time, and at once but for the first time.
   */
  synchronized Finding tried() {
    if (finding == null) {
      finding = tryIt();
    }
    return finding;
  }

  /** Loads and tests nothing. */
  Finding known() {
    Finding known = finding;
    return known != null ? known : Finding.UNTESTED;
  }

  private Finding tryIt() {
    Kernel kernel;
    try {
      kernel = loader.load();
    } catch (KernelUnavailableException e) {
      return new Finding(State.UNAVAILABLE, Optional.empty(), Optional.of(e.getMessage()));
    }
    Optional<String> problem =
        fault(kernel)
            .map(
                fault ->
                    "It gives wrong bytes on this machine, and is not used: %s. Please report this with the version of Java and the processor"
                        .formatted(fault));
    return new Finding(problem.isEmpty() ? State.RIGHT : State.WRONG, Optional.of(kernel), problem);
  }

  private Optional<String> fault(Kernel kernel) {
    try {
      return test.apply(kernel);
    } catch (RuntimeException | LinkageError e) {
      return Optional.of("instead of an answer it gave " + e);
    }
  }

  /**
   * What is known of a candidate.
   *
   * @param kernel empty unless it could be loaded
   * @param problem why it must not be used; empty when it may
   */
  record Finding(State state, Optional<Kernel> kernel, Optional<String> problem) {
    static final Finding UNTESTED = new Finding(State.UNTESTED, Optional.empty(), Optional.empty());

    /** The kernel, if it may be used. */
    Optional<Kernel> usable() {
      return state == State.RIGHT ? kernel : Optional.empty();
    }
  }
}
