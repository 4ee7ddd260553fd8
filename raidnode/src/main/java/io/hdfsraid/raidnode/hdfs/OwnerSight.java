// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.process.OwnerProcess;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The owner file as another process sees it: whether it is held, and the marks that its holder has
 * put beside the lease. Each mark names its holder and the holder's epoch, so that it says nothing
 * of those who hold the file later.
 *
 * @param held whether some process holds the file open, or has died without closing it
 * @param process the last holder; empty if it has not said which process it is
 * @param epoch how many processes have held the file so far
 * @param beat the last heartbeat, a number that the holder counts up; empty if it has sent none
 * @param address where the REST API of the holder is; empty while that does not listen
 * @param successor the host name of the machine whose daemon is to take over, and no name for any;
 *     empty unless the holder leaves its work to another
 */
record OwnerSight(
    boolean held,
    Optional<OwnerProcess> process,
    long epoch,
    Optional<Long> beat,
    Optional<URI> address,
    Optional<String> successor) {
  static final String PROCESS = "user.raid.owner.process";
  static final String EPOCH = "user.raid.owner.epoch";
  static final String TERMS = "user.raid.owner.terms";

  /**
   * The marks of heartbeats with an even and with an odd number. One that hangs while the namespace
   * is set back may arrive in it and replace what was there; the other one shows that.
   */
  static final List<String> BEATS = List.of("user.raid.owner.beat", "user.raid.owner.beat-odd");

  static final String ADDRESS = "user.raid.owner.address";
  static final String SUCCESSOR = "user.raid.owner.successor";
  static final String RELEASED = "user.raid.owner.released";

  private static final byte[] NONE = {};

  /**
   * Reads the marks.
   *
   * @param marks the extended attributes of the file
   */
  static OwnerSight of(boolean held, Map<String, byte[]> marks) {
    return new OwnerSight(
        held,
        process(marks),
        epoch(marks),
        beat(marks),
        ofHolder(marks, ADDRESS).flatMap(OwnerSight::uri),
        ofHolder(marks, SUCCESSOR));
  }

  /** Returns the last holder; empty if it has not said which process it is. */
  static Optional<OwnerProcess> process(Map<String, byte[]> marks) {
    return OwnerProcess.parse(marks.getOrDefault(PROCESS, NONE));
  }

  /** Returns the name of the mark for a heartbeat. */
  static String beat(long number) {
    return BEATS.get((int) (number % BEATS.size()));
  }

  /** Returns the last heartbeat of the last holder; empty if it has sent none. */
  static Optional<Long> beat(Map<String, byte[]> marks) {
    return ofHolder(marks).max(Comparator.naturalOrder());
  }

  private static Stream<Long> ofHolder(Map<String, byte[]> marks) {
    return BEATS.stream().flatMap(name -> ofHolder(marks, name).stream()).map(OwnerSight::count);
  }

  /**
   * Returns the terms.
   *
   * @param inode the inode id of the file
   */
  static Terms terms(long inode, Map<String, byte[]> marks) {
    Terms terms = Terms.parse(inode, text(marks.getOrDefault(TERMS, NONE)));
    return terms.withBeats(beats(terms.all(), marks));
  }

  /**
   * Returns the heartbeats of the last term, which only their marks tell. Whoever takes the file
   * removes those of the former holder, so one of that is late, and may have replaced another.
   */
  private static long beats(List<Term> terms, Map<String, byte[]> marks) {
    boolean isOfHolder = !terms.isEmpty() && terms.get(terms.size() - 1).epoch() == epoch(marks);
    long known = ofHolder(marks).count();
    if (!isOfHolder || BEATS.stream().filter(marks::containsKey).count() > known) {
      return Term.UNKNOWN;
    }
    if (known == 0) {
      return 0;
    }
    return known == 1 ? 1 : ofHolder(marks).min(Comparator.naturalOrder()).orElseThrow() + 1;
  }

  /** Returns whether the last holder has said that it changes nothing any more. */
  static boolean isReleased(Map<String, byte[]> marks) {
    return ofHolder(marks, RELEASED).isPresent();
  }

  /** Returns the value of a mark of this holder. */
  static byte[] mark(OwnerProcess holder, long epoch, Object value) {
    return (prefix(text(holder.toBytes()), epoch) + value).getBytes(StandardCharsets.UTF_8);
  }

  private static String prefix(String process, long epoch) {
    return process + "\n" + epoch + "\n";
  }

  static long epoch(Map<String, byte[]> marks) {
    return count(text(marks.getOrDefault(EPOCH, NONE)));
  }

  /** Daemons before this one name their process alone, and leave the marks of others in place. */
  private static Optional<String> ofHolder(Map<String, byte[]> marks, String name) {
    String prefix = prefix(text(marks.getOrDefault(PROCESS, NONE)), epoch(marks));
    return Optional.of(text(marks.getOrDefault(name, NONE)))
        .filter(mark -> mark.startsWith(prefix))
        .map(mark -> mark.substring(prefix.length()));
  }

  /** People may write there, too: what is no number counts as none. */
  private static long count(String digits) {
    return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(new URI(text)).filter(uri -> uri.getHost() != null);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns the holder, for messages. */
  String holder() {
    return process.map(OwnerProcess::toString).orElse("a process that has not said which");
  }
}
