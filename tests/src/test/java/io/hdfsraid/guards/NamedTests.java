// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out, in the processes of PIT, all tests that no guard names. To find the tests of a class,
 * each of these processes runs them all. JUnit finds it as a service.
 */
public final class NamedTests implements PostDiscoveryFilter {
  /** The option of Java that a process of PIT has. */
  static final String IN_PROCESS_OF_PIT = "-Dguards.named=true";

  private final boolean active = Boolean.getBoolean("guards.named");
  private final Set<String> named = active ? named() : Set.of();

  private static Set<String> named() {
    return Guard.all().stream()
        .flatMap(guard -> guard.tests().stream())
        .collect(Collectors.toSet());
  }

  @Override
  public FilterResult apply(TestDescriptor test) {
    return FilterResult.includedIf(
        !active
            || test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(this::isNamed)
                .orElse(true));
  }

  private boolean isNamed(MethodSource method) {
    String type = method.getClassName();
    String simple = type.substring(type.lastIndexOf('.') + 1);
    return named.contains(simple + "#" + method.getMethodName());
  }
}
