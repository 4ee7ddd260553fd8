// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidshell.command.Screen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The verdict of the policies on each file; files of one directory with the same one share a row.
 */
final class VerdictTable {
  private static final int MOST_ROWS = 40;
  private static final String GROUPED = "cold; too small alone, so together with its neighbours";

  private final Instant now;
  private final Map<Key, List<FileFacts>> alike = new LinkedHashMap<>();

  private record Key(String directory, long days, String policy, boolean raid, String why) {}

  VerdictTable(Instant now) {
    this.now = now;
  }

  void add(FileFacts file, Verdict verdict) {
    Key key =
        new Key(
            file.path().substring(0, file.path().lastIndexOf('/') + 1),
            Duration.between(file.lastUsed(), now).toDays(),
            verdict.decidedBy().map(Policy::name).orElse("-"),
            verdict.whyNot().isEmpty(),
            why(verdict));
    alike.computeIfAbsent(key, any -> new ArrayList<>()).add(file);
  }

  private static String why(Verdict verdict) {
    if (verdict instanceof Verdict.RaidTogether) {
      return GROUPED;
    }
    return verdict
        .worth()
        .map(
            saving ->
                "%s on disk become %s"
                    .formatted(Screen.bytes(saving.before()), Screen.bytes(saving.after())))
        .orElseGet(() -> verdict.whyNot().orElseThrow().sentence());
  }

  void show(Console console) {
    List<List<String>> rows = new ArrayList<>();
    alike.forEach((key, files) -> rows.add(row(key, files)));
    List<List<String>> shown = rows.subList(0, Math.min(rows.size(), MOST_ROWS));
    console.table(List.of("FILE", "SIZE", "LAST USED", "POLICY", "VERDICT", "WHY"), shown);
    if (shown.size() < rows.size()) {
      console.line("… and %d more".formatted(rows.size() - shown.size()));
    }
  }

  private static List<String> row(Key key, List<FileFacts> files) {
    boolean one = files.size() == 1;
    return List.of(
        one ? files.get(0).path() : "%s* (%d files)".formatted(key.directory(), files.size()),
        Screen.bytes(files.stream().mapToLong(FileFacts::length).sum()),
        key.days() + "d ago",
        key.policy(),
        key.raid() ? "raid" : "leave",
        // The saving is that of one file.
        one || !key.raid() || key.why().equals(GROUPED) ? key.why() : "cold");
  }
}
