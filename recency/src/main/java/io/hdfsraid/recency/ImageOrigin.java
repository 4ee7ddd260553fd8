// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

/** The NameNode of a nameservice that sends its image. */
public enum ImageOrigin {
  /** The one that is disturbed least, which is a standby. */
  ANY,
  /** The active one: after the namespace was set back, a standby may still have what was undone. */
  ACTIVE
}
