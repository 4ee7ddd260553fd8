// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelReport;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import java.util.List;
import java.util.Optional;

/** Sets the kernel that the codecs of this process use. */
public interface KernelSwitch {
  /** The one that everything is checked against. */
  String REFERENCE = "scalar";

  List<String> names();

  /** Returns why this machine cannot use the kernel; empty if it can. */
  Optional<String> problem(String name);

  /** Returns details of a usable kernel. */
  Optional<String> detail(String name);

  /** Switches to a usable kernel. */
  void use(String name);

  /** The real one. */
  static KernelSwitch ofProcess() {
    return new KernelSwitch() {
      @Override
      public List<String> names() {
        return CodingKernels.names();
      }

      @Override
      public Optional<String> problem(String name) {
        try {
          CodingKernels.force(name);
          return Optional.empty();
        } catch (KernelUnavailableException e) {
          return Optional.of(e.getMessage());
        }
      }

      @Override
      public Optional<String> detail(String name) {
        return CodingKernels.report().kernels().stream()
            .filter(kernel -> kernel.name().equals(name))
            .findFirst()
            .flatMap(KernelReport.Entry::detail);
      }

      @Override
      public void use(String name) {
        try {
          CodingKernels.force(name);
        } catch (KernelUnavailableException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }
}
