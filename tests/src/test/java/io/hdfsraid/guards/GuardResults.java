// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.pitest.mutationtest.ClassMutationResults;
import org.pitest.mutationtest.ListenerArguments;
import org.pitest.mutationtest.MutationResult;
import org.pitest.mutationtest.MutationResultListener;
import org.pitest.mutationtest.MutationResultListenerFactory;

/**
 * Keeps what PIT finds. PIT finds it as a service, and makes it itself: so what it keeps is static.
 */
public final class GuardResults implements MutationResultListenerFactory {
  static final String NAME = "GUARDS";
  static final List<MutationResult> FOUND = new CopyOnWriteArrayList<>();

  @Override
  public MutationResultListener getListener(Properties properties, ListenerArguments arguments) {
    return new MutationResultListener() {
      @Override
      public void runStart() {}

      @Override
      public void handleMutationResult(ClassMutationResults results) {
        FOUND.addAll(results.getMutations());
      }

      @Override
      public void runEnd() {}
    };
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "Keeps results for GuardMutationsTest";
  }
}
