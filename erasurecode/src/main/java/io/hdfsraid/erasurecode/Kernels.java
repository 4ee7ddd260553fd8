package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.Optional;

/** The kernels this version has, and which of them this process uses. */
final class Kernels {
  /** The system property that names the kernel of a process, or says {@code auto}. */
  static final String PROPERTY = "hdfsraid.kernel";

  private static final KernelProbe PROBE = KernelProbe.ofThisProcess();

  /** To add one: a line here, and its class in the {@code permits} of {@link Kernel}. */
  private static final List<Candidate> CANDIDATES =
      List.of(
          new Candidate("portable", PortableKernel::new, Kernels::firstFault),
          new Candidate(NativeKernel.NAME, NativeKernel::load, Kernels::firstFault),
          new Candidate(VectorKernel.NAME, VectorKernel::load, Kernels::firstFault),
          // What the others are tested against.
          new Candidate("scalar", ScalarKernel::new, kernel -> Optional.empty()));

  private static final KernelSelection OF_THIS_PROCESS =
      new KernelSelection(
          CANDIDATES,
          new PortableKernel(),
          new ScalarKernel(),
          PROBE::measure,
          Optional.ofNullable(System.getProperty(PROPERTY)));

  private Kernels() {}

  static KernelSelection ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  /** Warmed up before, as the JIT compiler can be wrong as well. */
  private static Optional<String> firstFault(Kernel kernel) {
    PROBE.warmUp(kernel::prepare);
    return SelfTest.firstFault(kernel::prepare);
  }
}
