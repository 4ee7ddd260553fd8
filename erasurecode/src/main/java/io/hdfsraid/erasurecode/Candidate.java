package io.hdfsraid.erasurecode;

import java.util.Optional;

/**
 * A kernel that may or may not be usable on this machine. It is loaded when it is first asked for
 * and not before, as a native library stays in the process for good. Safe for concurrent use.
 */
final class Candidate {
  private final String name;
  private final Loader loader;
  private Kernel kernel;
  private KernelUnavailableException problem;

  /** Makes a kernel, or says why there is none. */
  @FunctionalInterface
  interface Loader {
    Kernel load() throws KernelUnavailableException;
  }

  /**
   * @param name that of the kernel
   */
  Candidate(String name, Loader loader) {
    this.name = name;
    this.loader = loader;
  }

  String name() {
    return name;
  }

  /**
   * The kernel, the same one each time.
   *
   * @throws KernelUnavailableException with the same message each time
   */
  synchronized Kernel kernel() throws KernelUnavailableException {
    if (kernel == null && problem == null) {
      try {
        kernel = loader.load();
      } catch (KernelUnavailableException e) {
        problem = e;
      }
    }
    if (problem != null) {
      throw problem;
    }
    return kernel;
  }

  /** Empty while nobody has asked for it, and when it cannot be loaded. */
  synchronized Optional<Kernel> loaded() {
    return Optional.ofNullable(kernel);
  }

  /** Why it cannot be loaded; empty when it can, and while nobody has asked for it. */
  synchronized Optional<String> problem() {
    return Optional.ofNullable(problem).map(Throwable::getMessage);
  }
}
