// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The terms that the owner file tells of, the present one last. They show whether the namespace was
 * set back to an earlier state, say by a NameNode that was started from an old checkpoint: it lacks
 * later terms then, or later heartbeats of one, whatever happens to it since. Inode ids, block ids,
 * generation stamps and transactions do not show that, because the NameNode gives all of them
 * again.
 *
 * @param inode the inode id of the owner file; a greater one shows that the root was made anew
 * @param all the terms; older ones than the last {@value #MOST} are forgotten
 */
public record Terms(long inode, List<Term> all) {
  static final Terms NONE = new Terms(0, List.of());

  /** So many fit into an extended attribute: HDFS takes 16 KiB unless it is told otherwise. */
  static final int MOST = 200;

  /** The heartbeat that was under way when the next owner looked may be missing. */
  static final int UNDER_WAY = 1;

  private static final String NOT_KNOWN = "?";
  private static final String MISSING = "!";

  public Terms {
    all = List.copyOf(all);
  }

  /** Reads a line for each term; lines that are none are left out. */
  static Terms parse(long inode, String lines) {
    return new Terms(inode, lines.lines().flatMap(line -> term(line).stream()).toList());
  }

  private static Optional<Term> term(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length != 3 || parts[0].isEmpty() || !isNumber(parts[1])) {
      return Optional.empty();
    }
    long beats =
        isNumber(parts[2])
            ? Long.parseLong(parts[2])
            : parts[2].equals(MISSING) ? Term.LOST : Term.UNKNOWN;
    return Optional.of(new Term(parts[0], Long.parseLong(parts[1]), beats));
  }

  private static boolean isNumber(String text) {
    return text.matches("\\d{1,18}");
  }

  /** Returns the terms as {@link #parse} reads them. */
  String lines() {
    return all.stream()
        .map(term -> "%s %d %s".formatted(term.id(), term.epoch(), beats(term)))
        .collect(Collectors.joining("\n"));
  }

  private static String beats(Term term) {
    if (term.beats() == Term.UNKNOWN) {
      return NOT_KNOWN;
    }
    return term.beats() == Term.LOST ? MISSING : Long.toString(term.beats());
  }

  /** Returns these with one more, which begins now. */
  Terms begin(long epoch) {
    String id = Long.toHexString(UUID.randomUUID().getMostSignificantBits());
    return new Terms(
        inode,
        Stream.concat(
                all.stream().skip(Math.max(0, all.size() - MOST + 1)),
                Stream.of(new Term(id, epoch, 0)))
            .toList());
  }

  /** Returns these with the news that heartbeats of a term are missing. */
  Terms lose(String id) {
    Term last = present().orElseThrow();
    return new Terms(
        inode,
        Stream.concat(
                all.stream().limit(all.size() - 1L),
                Stream.of(new Term(id, last.epoch(), Term.LOST), last))
            .toList());
  }

  /** Returns whether an owner has noticed that heartbeats of a term are missing. */
  public boolean isKnownToLack(LastTerm lost) {
    return all.stream().anyMatch(term -> term.id().equals(lost.id()) && term.beats() == Term.LOST);
  }

  /** Returns these, in another owner file. */
  Terms in(long inode) {
    return new Terms(inode, all);
  }

  /** Returns these with another number of heartbeats in the present term, if there is any. */
  Terms withBeats(long beats) {
    return present()
        .map(
            last ->
                new Terms(
                    inode,
                    Stream.concat(
                            all.stream().limit(all.size() - 1L),
                            Stream.of(new Term(last.id(), last.epoch(), beats)))
                        .toList()))
        .orElse(this);
  }

  /** Returns the present term; empty if there is none. */
  Optional<Term> present() {
    return all.stream().skip(Math.max(0, all.size() - 1)).findFirst();
  }

  /** Returns the present term, to be compared with later; there must be one. */
  public LastTerm last() {
    Term last = present().orElseThrow();
    return new LastTerm(inode, last.id(), last.beats());
  }

  /**
   * Returns whether a namespace with these terms is an earlier state of one that has shown the
   * given term, or another branch of its history.
   */
  public boolean lacks(LastTerm known) {
    return inode == known.inode()
        ? !has(known.id(), known.beats() - UNDER_WAY)
        : inode < known.inode();
  }

  /** Returns whether a term is among these with at least so many heartbeats. */
  boolean has(String id, long beats) {
    return all.stream().anyMatch(term -> term.id().equals(id) && term.beats() >= beats);
  }
}
