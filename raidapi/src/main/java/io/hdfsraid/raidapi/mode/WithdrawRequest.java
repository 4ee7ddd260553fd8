package io.hdfsraid.raidapi.mode;

import io.hdfsraid.raidapi.ChangeRequest;

/**
 * Requests that every raided file gets its replicas back and that policies raid nothing more.
 *
 * @param purge also delete the parity as soon as no block needs it, instead of keeping it in
 *     quarantine; absent means false
 * @param removeRoot also remove the root directory when nothing else is left in it, the owner file
 *     last; implies {@code purge}; absent means false
 * @param dryRun only show what would happen; absent means true
 */
public record WithdrawRequest(Boolean purge, Boolean removeRoot, Boolean dryRun)
    implements ChangeRequest {
  public WithdrawRequest {
    removeRoot = removeRoot != null && removeRoot;
    purge = removeRoot || (purge != null && purge);
    dryRun = dryRun == null || dryRun;
  }
}
