package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the kernels of this machine, and which of them are in use. What nobody has asked
 * for yet is not known.
 *
 * @param kernels each one this version has, usable here or not
 * @param inUse for each kind of matrix
 */
public record KernelReport(List<Entry> kernels, Map<MatrixKind, Choice> inUse) {

  public KernelReport {
    kernels = List.copyOf(kernels);
    inUse = Map.copyOf(inUse);
  }

  /** How far a kernel has come. */
  public enum State {
    /** Nobody has asked for it. */
    UNTRIED,
    /** It cannot be used on this machine. */
    UNAVAILABLE,
    /** It is there, and has not been tested. */
    UNTESTED,
    /** It gave the right bytes. */
    RIGHT,
    /** It gave wrong bytes, and is not used. */
    WRONG
  }

  /**
   * One kernel.
   *
   * @param detail the version of a library, the instruction set; empty unless it could be loaded
   * @param problem why it cannot be used, and, if known, what would help; empty when it can
   * @param gigabytesPerSecond bytes of input that one thread handles, in 10^9 bytes per second, as
   *     measured when a choice was made; without an entry for what was not measured
   */
  public record Entry(
      String name,
      State state,
      Optional<String> detail,
      Optional<String> problem,
      Map<MatrixKind, Double> gigabytesPerSecond) {
    public Entry {
      gigabytesPerSecond = Map.copyOf(gigabytesPerSecond);
    }
  }

  /**
   * The kernel in use.
   *
   * @param reason in words
   */
  public record Choice(String kernel, String reason) {}
}
