// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.test;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tells a test its name. Hadoop's contract tests ask it, and their jar does not bring it. */
public class TestName implements BeforeEachCallback {
  private volatile String name = "unnamed";

  @Override
  public void beforeEach(ExtensionContext context) {
    name = context.getTestMethod().orElseThrow().getName();
  }

  /** Returns the name of the method that is running. */
  public String getMethodName() {
    return name;
  }
}
