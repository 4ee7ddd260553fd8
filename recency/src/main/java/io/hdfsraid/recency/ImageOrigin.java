// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

/** Which NameNode of a nameservice sends its image. */
public enum ImageOrigin {
  /** The one that is disturbed least, which is a standby. */
  ANY,
  /** The active one: after the namespace was set back, a standby may still have what was undone. */
  ACTIVE
}
