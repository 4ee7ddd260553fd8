// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import java.util.List;
import java.util.Properties;
import org.pitest.classpath.CodeSource;
import org.pitest.coverage.CoverageDatabase;
import org.pitest.coverage.TestInfo;
import org.pitest.mutationtest.build.DefaultTestPrioritiser;
import org.pitest.mutationtest.build.TestPrioritiser;
import org.pitest.mutationtest.build.TestPrioritiserFactory;
import org.pitest.mutationtest.engine.MutationDetails;

/**
 * Has PIT run the tests that a guard names, and no other: each raid passes many of the guards, so
 * hundreds of tests reach them. PIT finds it as a service.
 */
public final class GuardTests implements TestPrioritiserFactory {
  @Override
  public TestPrioritiser makeTestPrioritiser(
      Properties properties, CodeSource code, CoverageDatabase coverage) {
    TestPrioritiser allByTime = new DefaultTestPrioritiser(coverage);
    Mutants mutants = new Mutants(Mutants.compiledClasses());
    List<Guard> guards = Guard.all();
    return mutation -> {
      List<String> named = named(guards, mutants, mutation);
      return allByTime.assignTests(mutation).stream()
          .filter(test -> named.stream().anyMatch(name -> isOf(test, name)))
          .toList();
    };
  }

  private static List<String> named(List<Guard> guards, Mutants mutants, MutationDetails mutation) {
    Mutants.Mutant mutant =
        Mutants.describe(mutation, mutants.tree(mutation.getClassName().asJavaName()));
    return guards.stream()
        .filter(guard -> guard.isAbout(mutant))
        .flatMap(guard -> guard.tests().stream())
        .toList();
  }

  /** The name of a test is its class and, in brackets, the steps to its method. */
  private static boolean isOf(TestInfo test, String name) {
    String[] parts = name.split("#", 2);
    return test.getName().contains("." + parts[0] + "]")
        && test.getName().contains(":" + parts[1] + "(");
  }

  @Override
  public String description() {
    return "The tests that guards name";
  }
}
