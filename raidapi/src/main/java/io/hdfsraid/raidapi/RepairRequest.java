package io.hdfsraid.raidapi;

import java.util.List;

/**
 * Repair now: what is lost of this file or of all files below this directory, looked for by asking
 * every DataNode concerned; or these stripes; or all that is known to be lost. One of the three.
 *
 * @param path empty for the other two
 * @param stripes empty for the other two
 * @param all everything in the queue, without a look for more; absent means false
 * @param dryRun only say what would happen; absent means true
 */
public record RepairRequest(String path, List<StripeId> stripes, Boolean all, Boolean dryRun) {
  public RepairRequest {
    stripes = Absent.toEmpty(stripes);
    all = all != null && all;
    path = path == null || path.isEmpty() ? "" : Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
    Requests.one("path, stripes and all", !path.isEmpty(), !stripes.isEmpty(), all);
  }

  /** What is lost of a file, or of all files below a directory. */
  public static RepairRequest below(String path, boolean dryRun) {
    return new RepairRequest(path, List.of(), false, dryRun);
  }

  public static RepairRequest of(List<StripeId> stripes, boolean dryRun) {
    return new RepairRequest("", stripes, false, dryRun);
  }

  /** All that is known to be lost. */
  public static RepairRequest all(boolean dryRun) {
    return new RepairRequest("", List.of(), true, dryRun);
  }

  /** What is asked for, in a word. */
  public String subject() {
    return Requests.subject(path, stripes);
  }
}
