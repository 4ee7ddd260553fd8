package io.hdfsraid.raidapi;

/**
 * Look at the stripes of this file, or of all raided files below this directory, now.
 *
 * @param deep read every replica; absent means false: only ask DataNodes for checksums
 * @param dryRun only say what would happen; absent means true
 */
public record ScrubRequest(String path, Boolean deep, Boolean dryRun) {
  public ScrubRequest {
    path = Requests.absolute(path);
    deep = deep != null && deep;
    dryRun = dryRun == null || dryRun;
  }
}
