package io.hdfsraid.erasurecode;

import java.util.List;

/**
 * Which of the kernels, the inner loops of the codecs, this process uses. All of them give the same
 * bytes; they differ in speed, and in what they need. So a change in mid-flight does no harm:
 * whatever is under way goes on with the kernel it began with, or takes the new one at its next
 * call.
 *
 * <p>Until something here is called, a process uses the portable kernel: one that only reads loads
 * no native library and spends no time on measuring.
 */
public final class CodingKernels {
  private CodingKernels() {}

  /** What {@link #force} takes, whether or not it can be used on this machine. */
  public static List<String> names() {
    return Kernels.names();
  }

  /**
   * From now on every thread of this process uses this kernel, for all matrices.
   *
   * @throws IllegalArgumentException when there is no kernel of that name
   * @throws KernelUnavailableException when it cannot be used on this machine; the one in use stays
   */
  public static void force(String name) throws KernelUnavailableException {
    Kernels.force(name);
  }

  /** What is known by now. Tries and measures nothing. */
  public static KernelReport report() {
    return Kernels.report();
  }
}
