// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Ends a process when the one that has started it ends, however that happens: its standard input, a
 * pipe from there, ends then. Needs no other class, so it can run on any class path.
 */
final class EndWithParent {
  private EndWithParent() {}

  /**
   * Runs another program until then.
   *
   * @param arguments the name of its main class, and its arguments
   */
  public static void main(String[] arguments) throws Throwable {
    watch(System::exit); // so that a NodeManager ends its containers
    String[] its = Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) its);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /**
   * Ends this process as soon as its standard input ends.
   *
   * @param end given the exit code
   */
  static void watch(IntConsumer end) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // nothing is ever written to it
                }
              } catch (IOException e) {
                // it is gone, too
              }
              end.accept(0);
            },
            "end-with-parent");
    watch.setDaemon(true);
    watch.start();
  }
}
