// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tells people of failures, and tells failures from interrupts. */
public final class Failures {
  private static final int MOST_CAUSES = 20;

  /** HDFS puts the class of what its server has thrown before the message, and its stack behind. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("^([a-z]\\w*\\.)+[A-Z][\\w$]*(Exception|Error): ");

  private Failures() {}

  /**
   * Returns a failure in one line for people, without names of classes. A bug has no words for
   * people: they are told that the log has more.
   */
  public static String words(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return words(unchecked.getCause());
    }
    String name = failure.getClass().getSimpleName();
    if (failure instanceof RuntimeException || failure instanceof Error) {
      return "The daemon failed, and its log says where (%s)".formatted(name);
    }
    return Optional.ofNullable(failure.getMessage())
        .flatMap(message -> message.lines().findFirst())
        .map(line -> CLASS_NAME.matcher(line).replaceFirst("").strip())
        .filter(line -> !line.isEmpty())
        .orElse(
            "It failed without a message, and the log of the daemon says where (%s)"
                .formatted(name));
  }

  /**
   * Returns whether work was interrupted. A connection that times out has failed, also if the read
   * that did not end in time was interrupted for it.
   */
  public static boolean isInterrupt(Throwable failure) {
    return Thread.currentThread().isInterrupted()
        || Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .limit(MOST_CAUSES)
            .takeWhile(cause -> !(cause instanceof SocketTimeoutException))
            .anyMatch(
                cause -> cause instanceof InterruptedException || Interrupts.isInterrupt(cause));
  }
}
