// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the key {@code q} of the terminal. Without a terminal there is no key to wait for. */
final class Keyboard implements AutoCloseable {
  private final CountDownLatch quit = new CountDownLatch(1);
  private final Optional<String> before;
  private final Thread restore = new Thread(this::restore, "terminal");

  private Keyboard(Optional<String> before) {
    this.before = before;
  }

  /** Returns a keyboard without keys. */
  static Keyboard none() {
    return new Keyboard(Optional.empty());
  }

  /** Makes the terminal send each key at once and show none, until it is closed or Java ends. */
  Keyboard() {
    before = stty("-g");
    if (before.isPresent()) {
      Runtime.getRuntime().addShutdownHook(restore);
      stty("-icanon -echo");
      Thread reading = new Thread(this::read, "keyboard");
      reading.setDaemon(true);
      reading.start();
    }
  }

  private void read() {
    try {
      int key = System.in.read();
      while (key >= 0 && key != 'q' && key != 'Q') {
        key = System.in.read();
      }
      if (key >= 0) {
        quit.countDown();
      }
    } catch (IOException e) {
      // There is no keyboard any more; Ctrl-C is left.
    }
  }

  /** Returns whether the key was pressed within this time. */
  boolean quits(int seconds) throws InterruptedException {
    return quit.await(seconds, TimeUnit.SECONDS);
  }

  private void restore() {
    before.ifPresent(Keyboard::stty);
  }

  /** Returns what the program says; empty if there is no terminal, or no such program. */
  private static Optional<String> stty(String options) {
    try {
      Process process =
          new ProcessBuilder(("stty " + options).split(" ", -1))
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    if (before.isPresent()) {
      restore();
      Runtime.getRuntime().removeShutdownHook(restore);
    }
  }
}
