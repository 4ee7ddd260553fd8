// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.namespace.DeposedException;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
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

  /** Returns a failure and what has caused it, the deepest last. */
  public static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
  }

  /** Returns whether this failure, whatever its causes, says that a server was not reached. */
  public static boolean isUnreached(Throwable failure) {
    return failure instanceof SocketException
        || failure instanceof SocketTimeoutException
        || failure instanceof EOFException
        || failure instanceof UnknownHostException;
  }

  /**
   * Returns whether work was refused because another daemon has taken over, which ends this one.
   */
  public static boolean isDeposed(Throwable failure) {
    return causes(failure).anyMatch(DeposedException.class::isInstance);
  }

  /**
   * Returns whether work was interrupted. A connection that times out has failed, also if the read
   * that did not end in time was interrupted for it.
   */
  public static boolean isInterrupt(Throwable failure) {
    return Thread.currentThread().isInterrupted()
        || causes(failure)
            .takeWhile(cause -> !(cause instanceof SocketTimeoutException))
            .anyMatch(
                cause -> cause instanceof InterruptedException || Interrupts.isInterrupt(cause));
  }
}
