package io.hdfsraid.raidapi;

/**
 * Give every raided file its replicas back and raid nothing more by policy.
 *
 * @param purge also delete the parity, as soon as no block needs it, instead of keeping it in
 *     quarantine for its time; absent means false
 * @param removeRoot also remove the root, the owner file last, when nothing else is left in it;
 *     implies {@code purge}; absent means false
 * @param dryRun only say what would happen; absent means true
 */
public record WithdrawRequest(Boolean purge, Boolean removeRoot, Boolean dryRun) {
  public WithdrawRequest {
    removeRoot = removeRoot != null && removeRoot;
    purge = removeRoot || (purge != null && purge);
    dryRun = dryRun == null || dryRun;
  }
}
