// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.scrub;

import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;

/**
 * Requests to scrub a file, or all raided files below a directory, now.
 *
 * @param deep read every replica; absent means false: only ask DataNodes for checksums
 * @param dryRun only show what would happen; absent means true
 */
public record ScrubRequest(String path, Boolean deep, Boolean dryRun) implements ChangeRequest {
  public ScrubRequest {
    path = Requests.absolute(path);
    deep = deep != null && deep;
    dryRun = dryRun == null || dryRun;
  }
}
