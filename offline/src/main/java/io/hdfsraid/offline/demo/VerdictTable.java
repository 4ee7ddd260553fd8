package io.hdfsraid.offline.demo;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidshell.Screen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the policies decide for each file, and why; like files of a directory are one row. */
final class VerdictTable {
  private static final int MOST_ROWS = 40;
  private static final String TOGETHER = "cold; too small alone, so together with its neighbours";

  private final Instant now;
  private final Map<List<String>, List<FileFacts>> alike = new LinkedHashMap<>();

  VerdictTable(Instant now) {
    this.now = now;
  }

  void add(FileFacts file, Verdict verdict) {
    String directory = file.path().substring(0, file.path().lastIndexOf('/') + 1);
    List<String> key =
        List.of(
            directory,
            lastUsed(file),
            verdict.decidedBy().map(Policy::name).orElse("-"),
            verdict.whyNot().isEmpty() ? "raid" : "leave",
            why(verdict));
    alike.computeIfAbsent(key, k -> new ArrayList<>()).add(file);
  }

  private String lastUsed(FileFacts file) {
    return Duration.between(file.lastUsed(), now).toDays() + "d ago";
  }

  private static String why(Verdict verdict) {
    if (verdict instanceof Verdict.RaidTogether) {
      return TOGETHER;
    }
    return verdict
        .worth()
        .map(
            saving ->
                "%s on disk become %s"
                    .formatted(Screen.bytes(saving.before()), Screen.bytes(saving.after())))
        .orElseGet(() -> verdict.whyNot().orElseThrow().sentence());
  }

  void show(Story story) {
    List<List<String>> rows = new ArrayList<>();
    alike.forEach((key, files) -> rows.add(row(key, files)));
    List<List<String>> shown = rows.size() > MOST_ROWS ? rows.subList(0, MOST_ROWS) : rows;
    story.table(List.of("FILE", "SIZE", "LAST USED", "POLICY", "VERDICT", "WHY"), shown);
    if (shown.size() < rows.size()) {
      story.say("… and %d more".formatted(rows.size() - shown.size()));
    }
  }

  private static List<String> row(List<String> key, List<FileFacts> files) {
    boolean one = files.size() == 1;
    String directory = key.get(0);
    return List.of(
        one ? files.get(0).path() : "%s* (%d files)".formatted(directory, files.size()),
        one
            ? Screen.bytes(files.get(0).length())
            : Screen.bytes(files.stream().mapToLong(FileFacts::length).sum()),
        key.get(1),
        key.get(2),
        key.get(3),
        // A sum of savings would be another number than any of them.
        one || key.get(3).equals("leave") || key.get(4).equals(TOGETHER) ? key.get(4) : "cold");
  }
}
