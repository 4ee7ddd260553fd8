package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Which of the kernels, the inner loops of the codecs, this process uses. All of them give the same
 * bytes; they differ in speed, and in what they need. So a change in mid-flight does no harm:
 * whatever is under way goes on with the kernel it began with, or takes the new one at its next
 * call.
 *
 * <p>Until something here is called, a process uses the portable kernel: one that only reads loads
 * no native library and spends no time on measuring. The system property {@code hdfsraid.kernel} of
 * any process goes before that: from the first use of a codec on it uses the kernel that is named
 * there, or, for {@code auto}, chooses as {@link #choose} does. A kernel that is named and cannot
 * be used is not replaced silently: every use of a codec ends in an {@link IllegalStateException}.
 */
public final class CodingKernels {
  private CodingKernels() {}

  /** What {@link #force} takes, whether or not it can be used on this machine. */
  public static List<String> names() {
    return Kernels.ofThisProcess().names();
  }

  /** What {@link #choose} takes: {@code auto}, and the names. */
  public static List<String> settings() {
    return Stream.concat(Stream.of(KernelSelection.AUTO), names().stream()).toList();
  }

  /**
   * Uses the kernel that is named, after a test; or, for {@code auto}, tests and measures all of
   * them and uses for each kind of matrix the fastest that gives the right bytes. The system
   * property {@code hdfsraid.kernel}, where there is one, goes before the setting.
   *
   * <p>Measuring is done once in the life of a process, in a daemon thread of its own; until then
   * what was in use stays in use. It takes one core for 2 to 5 s in all, most of it for the Vector
   * API to be compiled; a native library that hangs costs up to 20 s more.
   *
   * @param setting one of {@link #settings}
   * @return what is known in the end; complete already when a kernel is named
   * @throws KernelUnavailableException when a kernel is named that cannot be used on this machine;
   *     what was in use stays in use
   */
  public static CompletableFuture<KernelReport> choose(String setting)
      throws KernelUnavailableException {
    return Kernels.ofThisProcess().choose(setting);
  }

  /**
   * From now on every thread of this process uses this kernel, for all matrices. It is tested the
   * first time it is asked for, which takes a fraction of a second, with the Vector API up to 2 s.
   *
   * @param name one of {@link #names}
   * @throws KernelUnavailableException when it cannot be used on this machine; what was in use
   *     stays in use
   */
  public static void force(String name) throws KernelUnavailableException {
    Kernels.ofThisProcess().force(name);
  }

  /** What is known by now. Tests and measures nothing. */
  public static KernelReport report() {
    return Kernels.ofThisProcess().report();
  }
}
