package io.hdfsraid.tests.guards;

import java.util.Optional;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs one test in a process of its own, whose class path has a class without its guard first; of a
 * test with parameters, all its cases.
 */
final class TestRun {
  static final int GREEN = 0;
  static final int RED = 10;
  static final int NOTHING_RAN = 11;

  private TestRun() {}

  public static void main(String[] args) {
    String method = args[1];
    PostDiscoveryFilter only =
        test -> FilterResult.includedIf(methodOf(test).map(method::equals).orElse(true));
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(args[0]))
            .filters(only)
            .build();
    Results results = new Results();
    LauncherFactory.create().execute(request, results);
    System.out.flush();
    // Tests may have left threads behind.
    Runtime.getRuntime().halt(results.code());
  }

  private static Optional<String> methodOf(TestDescriptor test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getMethodName());
  }

  private static final class Results implements TestExecutionListener {
    private int ran;
    private int failed;

    /** Failures outside of the tests, as of their set-up: alone they say nothing of the guard. */
    private int broken;

    int code() {
      if (failed > 0) {
        return RED;
      }
      return ran == 0 || broken > 0 ? NOTHING_RAN : GREEN;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      ran += test.isTest() ? 1 : 0;
      if (result.getStatus() != TestExecutionResult.Status.FAILED) {
        return;
      }
      failed += test.isTest() ? 1 : 0;
      broken += test.isTest() ? 0 : 1;
      result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
    }
  }
}
