// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A new kernel is tested without being listed here. */
class KernelTest {
  static List<Class<?>> kernels() {
    return List.of(Kernel.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyCoefficientGivesTheProductOfEveryByte(Class<?> kernel) throws Exception {
    contract(kernel).everyCoefficientGivesTheProductOfEveryByte();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyLengthAgreesWithTheDefinition(Class<?> kernel) throws Exception {
    contract(kernel).everyLength();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyShapeAgreesWithTheDefinition(Class<?> kernel) throws Exception {
    contract(kernel).everyShape();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void zerosAndOnesAreHandledLikeAnyCoefficient(Class<?> kernel) throws Exception {
    contract(kernel).zerosAndOnesAreHandledLikeAnyCoefficient();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyMixtureOfBuffersAgreesWithTheDefinition(Class<?> kernel) throws Exception {
    contract(kernel).everyMixtureOfBuffers();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void manyThreadsShareOneMultiplication(Class<?> kernel) throws Exception {
    contract(kernel).manyThreadsShareOneMultiplication();
  }

  @Test
  void theKernelsOfPlainJavaAreAlwaysThere() throws Exception {
    assertThat(load(ScalarKernel.class).name()).isEqualTo("scalar");
    assertThat(load(PortableKernel.class).name()).isEqualTo("portable");
  }

  @ParameterizedTest
  @EnumSource
  void aKernelWithOneWrongBitDoesNotPass(WrongKernel wrong) {
    KernelContract contract = new KernelContract(wrong.name(), wrong::prepare);
    assertThatThrownBy(
            () -> {
              contract.everyLength();
              contract.everyMixtureOfBuffers();
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(wrong.name());
  }

  private static KernelContract contract(Class<?> type) throws Exception {
    Kernel kernel = null;
    try {
      kernel = load(type);
    } catch (KernelUnavailableException e) {
      abort("%s is not tested on this machine: %s".formatted(type.getSimpleName(), e.getMessage()));
    }
    return new KernelContract(kernel.name(), kernel::prepare);
  }

  /** A kernel that may be unavailable has a method for it, any other a constructor. */
  private static Kernel load(Class<?> type) throws Exception {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals("load") && method.getParameterCount() == 0) {
        try {
          return (Kernel) method.invoke(null);
        } catch (InvocationTargetException e) {
          if (e.getCause() instanceof KernelUnavailableException unavailable) {
            throw unavailable;
          }
          throw e;
        }
      }
    }
    return (Kernel) type.getDeclaredConstructor().newInstance();
  }
}
