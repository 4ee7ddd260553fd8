// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.process.OwnerProcess;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What another process sees of the owner file: whether it is held, and the marks that its holder
 * has put beside the lease.
 *
 * @param held whether some process holds it open, or has died without closing it
 * @param process the process that has held it last; empty if it has not said which it is
 * @param epoch how many processes have held it so far
 * @param beat the last sign of life: a number that its holder counts up; empty if the one of this
 *     epoch has given none
 * @param address where the REST API of its holder is; empty while that does not listen
 */
record OwnerSight(
    boolean held,
    Optional<OwnerProcess> process,
    long epoch,
    Optional<Long> beat,
    Optional<URI> address) {
  static final String PROCESS = "user.raid.owner.process";
  static final String EPOCH = "user.raid.owner.epoch";
  static final String BEAT = "user.raid.owner.beat";
  static final String ADDRESS = "user.raid.owner.address";
  static final String RELEASED = "user.raid.owner.released";

  /**
   * @param marks the extended attributes of the file
   */
  static OwnerSight of(boolean held, Map<String, byte[]> marks) {
    long epoch = number(marks, EPOCH);
    return new OwnerSight(
        held,
        OwnerProcess.parse(marks.getOrDefault(PROCESS, new byte[0])),
        epoch,
        ofEpoch(marks, BEAT, epoch).map(OwnerSight::count),
        ofEpoch(marks, ADDRESS, epoch).flatMap(OwnerSight::uri));
  }

  /** Returns whether the last holder has said that it changes nothing any more. */
  static boolean isReleased(Map<String, byte[]> marks) {
    return ofEpoch(marks, RELEASED, number(marks, EPOCH)).isPresent();
  }

  /** Writes a mark that holds for one epoch: it says nothing of those who hold the file later. */
  static byte[] mark(long epoch, Object value) {
    return (epoch + " " + value).getBytes(StandardCharsets.UTF_8);
  }

  static long epoch(Map<String, byte[]> marks) {
    return number(marks, EPOCH);
  }

  private static Optional<String> ofEpoch(Map<String, byte[]> marks, String name, long epoch) {
    String[] parts = text(marks, name).split(" ", 2);
    return parts.length == 2 && parts[0].equals(Long.toString(epoch))
        ? Optional.of(parts[1])
        : Optional.empty();
  }

  private static long number(Map<String, byte[]> marks, String name) {
    return count(text(marks, name));
  }

  /** What is no number counts as none: people may write there, too. */
  private static long count(String digits) {
    return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(new URI(text));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static String text(Map<String, byte[]> marks, String name) {
    return new String(marks.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
  }

  /** The holder, for messages. */
  String holder() {
    return process.map(OwnerProcess::toString).orElse("a process that has not said which");
  }
}
