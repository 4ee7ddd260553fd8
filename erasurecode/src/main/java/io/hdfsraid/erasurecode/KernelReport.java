package io.hdfsraid.erasurecode;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the kernels of this machine, and which of them are in use. What nobody has asked
 * for yet is not known.
 *
 * @param kernels each one this version has, usable here or not
 * @param inUse for each kind of matrix; empty while nothing has been multiplied or chosen
 */
public record KernelReport(List<Entry> kernels, Map<MatrixKind, Choice> inUse) {

  public KernelReport {
    kernels = List.copyOf(kernels);
    inUse = inOrder(inUse);
  }

  private static <T> Map<MatrixKind, T> inOrder(Map<MatrixKind, T> byKind) {
    Map<MatrixKind, T> ordered = new EnumMap<>(MatrixKind.class);
    ordered.putAll(byKind);
    return Collections.unmodifiableMap(ordered);
  }

  /** How far a kernel has come. */
  public enum State {
    /** Nobody has asked for a test. */
    UNTESTED,
    /** It cannot be used on this machine. */
    UNAVAILABLE,
    /** It gave the right bytes. */
    RIGHT,
    /** It gave wrong bytes, and is not used. */
    WRONG
  }

  /**
   * One kernel.
   *
   * @param detail the version of a library, the instruction set; empty unless it was loaded
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
      gigabytesPerSecond = inOrder(gigabytesPerSecond);
    }
  }

  /**
   * The kernel in use.
   *
   * @param reason in words
   */
  public record Choice(String kernel, String reason) {}
}
