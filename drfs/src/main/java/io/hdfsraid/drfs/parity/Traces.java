package io.hdfsraid.drfs.parity;

import java.util.List;

/**
 * What lies below the root of the parity, counted from a listing of it.
 *
 * @param root whether there is a root at all
 * @param committed parity files in service, of files and of groups
 * @param quarantined parity files that are kept for a while
 * @param drafts parity that is being made, or was left by a crash
 * @param foreign paths that are not ours, and are never deleted; at most {@value #MOST_FOREIGN}
 * @param foreignEntries how many of these there are
 */
public record Traces(
    boolean root,
    long committed,
    long quarantined,
    long drafts,
    List<String> foreign,
    long foreignEntries) {
  /** So many paths that are not ours are named. */
  public static final int MOST_FOREIGN = 20;

  /** Nothing at all, not even the root. */
  public static final Traces NONE = new Traces(false, 0, 0, 0, List.of(), 0);

  public Traces {
    foreign = List.copyOf(foreign);
  }

  /** The root may be removed: it holds directories of ours and nothing else. */
  public boolean onlyDirectories() {
    return committed == 0 && quarantined == 0 && drafts == 0 && foreignEntries == 0;
  }
}
