// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The kernels, the inner loops of the codecs, that this process uses. All of them give the same
 * bytes; they differ in speed and in what they need. So the kernel may change at any time: each
 * call of a codec uses the kernel that is chosen at that moment.
 *
 * <p>A process uses the portable kernel until something here is called, so a process that only
 * reads loads no native library and spends no time on tests. The system property {@code
 * hdfsraid.kernel} overrides this: from the first use of a codec on, the process uses the kernel
 * that is named there or, for {@code auto}, chooses as {@link #choose} does. A named kernel that
 * cannot be used is not replaced silently: every use of a codec throws an {@link
 * IllegalStateException}.
 */
public final class CodingKernels {
  private static final String PORTABLE = "portable";
  private static final String SCALAR = "scalar";

  /** To add one: a line here, and its class in the {@code permits} of {@link Kernel}. */
  private static final List<KernelCandidate> CANDIDATES =
      List.of(
          new KernelCandidate(PORTABLE, PortableKernel::new, CodingKernels::firstFault),
          new KernelCandidate(NativeKernel.NAME, NativeKernel::load, CodingKernels::firstFault),
          new KernelCandidate(VectorKernel.NAME, VectorKernel::load, CodingKernels::firstFault),
          // The others are tested against it.
          new KernelCandidate(SCALAR, ScalarKernel::new, kernel -> Optional.empty()));

  /**
   * Fastest first, for buffers on the heap, which the daemon uses: docs/kernels.md has the
   * measurements. ISA-L multiplies bit matrices at a third of the speed of the portable kernel, and
   * the vector kernel leaves them to it.
   */
  private static final Map<MatrixKind, List<String>> PREFERENCE =
      Map.of(
          MatrixKind.GENERAL, List.of(VectorKernel.NAME, NativeKernel.NAME, PORTABLE, SCALAR),
          MatrixKind.BINARY, List.of(PORTABLE, NativeKernel.NAME, SCALAR));

  private static final KernelSelection OF_THIS_PROCESS =
      new KernelSelection(
          CANDIDATES,
          PREFERENCE,
          new PortableKernel(),
          Optional.ofNullable(System.getProperty(KernelSelection.PROPERTY)));

  private CodingKernels() {}

  static KernelSelection ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  /** The kernel is warmed up before, because the JIT compiler can be wrong as well. */
  private static Optional<String> firstFault(Kernel kernel) {
    WarmUp.ofThisThread().run(kernel::prepare);
    return SelfTest.firstFault(kernel::prepare);
  }

  /** What {@link #force} takes, whether or not this machine can use it. */
  public static List<String> names() {
    return OF_THIS_PROCESS.names();
  }

  /** What {@link #choose} takes: {@code auto}, and the names. */
  public static List<String> settings() {
    return Stream.concat(Stream.of(KernelSelection.AUTO), names().stream()).toList();
  }

  /**
   * Uses the named kernel, after a test; or, for {@code auto}, tests all kernels and uses, for each
   * kind of matrix, the first of a fixed order that gives the right bytes. The system property
   * {@code hdfsraid.kernel}, if it is set, overrides the setting.
   *
   * <p>For {@code auto} the kernels are tested once in the life of a process, in a daemon thread;
   * until then the kernel in use stays. The tests take one core for 2 to 4 s in all, most of it
   * until the JIT compiler has compiled the vector kernel; a native library that hangs costs up to
   * 20 s more.
   *
   * @param setting one of {@link #settings}
   * @return the state after the choice; complete already when a kernel is named
   * @throws KernelUnavailableException when a kernel is named that cannot be used on this machine;
   *     the kernel in use stays
   */
  public static CompletableFuture<KernelReport> choose(String setting)
      throws KernelUnavailableException {
    return OF_THIS_PROCESS.choose(setting);
  }

  /**
   * From now on every thread of this process uses this kernel, for all matrices. It is tested the
   * first time it is asked for, which takes a fraction of a second, with the Vector API up to 2 s.
   *
   * @param name one of {@link #names}
   * @throws KernelUnavailableException when it cannot be used on this machine; the kernel in use
   *     stays
   */
  public static void force(String name) throws KernelUnavailableException {
    OF_THIS_PROCESS.force(name);
  }

  /** The state now. Tests nothing. */
  public static KernelReport report() {
    return OF_THIS_PROCESS.report();
  }
}
