package io.hdfsraid.tests.guards;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of one class in a process of its own, whose class path has a class without its
 * guard first. Prints {@code RED method} for each test that fails.
 */
final class TestRun {
  static final int GREEN = 0;
  static final int RED = 10;
  static final int NOTHING_RAN = 11;

  private TestRun() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(args[0]))
            .build();
    Results results = new Results(System.out);
    LauncherFactory.create().execute(request, results);
    System.out.flush();
    // Tests may have left threads behind.
    Runtime.getRuntime().halt(results.ran == 0 ? NOTHING_RAN : results.red.isEmpty() ? GREEN : RED);
  }

  private static final class Results implements TestExecutionListener {
    private final PrintStream out;
    private final List<String> red = new ArrayList<>();
    private int ran;

    Results(PrintStream out) {
      this.out = out;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      ran += test.isTest() ? 1 : 0;
      if (result.getStatus() != TestExecutionResult.Status.FAILED) {
        return;
      }
      String method =
          test.getSource()
              .filter(MethodSource.class::isInstance)
              .map(source -> ((MethodSource) source).getMethodName())
              .orElse(test.getDisplayName());
      red.add(method);
      out.println("RED " + method);
    }
  }
}
