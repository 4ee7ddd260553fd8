// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.client;

import java.net.URI;

/** Shows a RaidNode who sends a request. */
@FunctionalInterface
interface Proof {
  /** Returns the value of the header {@code Authorization} of one request to that address. */
  String header(URI address) throws RaidNodeException;
}
