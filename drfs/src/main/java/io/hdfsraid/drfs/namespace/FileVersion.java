// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.time.Instant;

/**
 * The facts about a file that change with its content, except while it is being written. A user can
 * set the modification time back, so equal versions suggest equal content and do not prove it.
 */
public record FileVersion(long inode, long length, Instant modified) {}
