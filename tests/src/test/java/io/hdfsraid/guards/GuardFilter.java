// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import java.util.Collection;
import java.util.List;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.mutationtest.build.InterceptorParameters;
import org.pitest.mutationtest.build.InterceptorType;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.build.MutationInterceptorFactory;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.plugin.Feature;

/** Has PIT take out guards and nothing else. PIT finds it as a service. */
public final class GuardFilter implements MutationInterceptorFactory {
  @Override
  public MutationInterceptor createInterceptor(InterceptorParameters parameters) {
    return new GuardsOfAClass(Guard.all());
  }

  @Override
  public Feature provides() {
    return Feature.named("GUARDS").withOnByDefault(true).withDescription(description());
  }

  @Override
  public String description() {
    return "Guards of data";
  }

  private static final class GuardsOfAClass implements MutationInterceptor {
    private final List<Guard> guards;
    private ClassTree tree;

    GuardsOfAClass(List<Guard> guards) {
      this.guards = guards;
    }

    @Override
    public InterceptorType type() {
      return InterceptorType.FILTER;
    }

    @Override
    public void begin(ClassTree next) {
      tree = next;
    }

    @Override
    public Collection<MutationDetails> intercept(
        Collection<MutationDetails> mutations, Mutater mutater) {
      return mutations.stream()
          .filter(
              mutation -> {
                Mutants.Mutant mutant = Mutants.describe(mutation, tree);
                return guards.stream().anyMatch(guard -> guard.isAbout(mutant));
              })
          .toList();
    }

    @Override
    public void end() {
      tree = null;
    }
  }
}
