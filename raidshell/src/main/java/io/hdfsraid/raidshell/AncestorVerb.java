// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The verbs of the shell of Facebook's HDFS-RAID, and what does their work here. */
final class AncestorVerb {
  private static final Map<String, String> HERE =
      Map.ofEntries(
          Map.entry("-help", "help"),
          Map.entry("-showconfig", "policies"),
          Map.entry("-recover", "recover"),
          Map.entry("-recoverblocks", "repair"),
          Map.entry("-raidfile", "raid"),
          Map.entry("-distraid", "raid"),
          Map.entry("-fsck", "fsck"),
          Map.entry("-filecheck", "scrub"),
          Map.entry("-usefulhar", "quarantine list"),
          Map.entry("-checkfile", "fsck"),
          Map.entry("-purgeparity", "quarantine purge"),
          Map.entry("-findmissingparityfiles", "fsck"),
          Map.entry("-verifyparity", "fsck"),
          Map.entry("-checkparity", "explain"),
          Map.entry("-verifyfile", "scrub --deep"),
          Map.entry("-rs_benchmark", "bench codec"),
          Map.entry("-estimatesaving", "plan"),
          Map.entry("-smoketest", "doctor"));

  private AncestorVerb() {}

  /** Returns the command if the first word of a command line is one of the verbs. */
  private static Optional<String> here(String... words) {
    return words.length == 0
        ? Optional.empty()
        : Optional.ofNullable(HERE.get(words[0].toLowerCase(Locale.ROOT)));
  }

  /** Returns what the first word is called here, for people; empty if it is none of the verbs. */
  static Optional<String> hint(String... words) {
    return here(words).map(here -> "%s is called '%s' here".formatted(words[0], here));
  }

  /** Returns the command line with the command in place of the verb. What follows is the same. */
  static String[] translated(String... words) {
    return here(words)
        .map(
            here ->
                Stream.concat(Stream.of(here.split(" ", -1)), Stream.of(words).skip(1))
                    .toArray(String[]::new))
        .orElse(words);
  }
}
