// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

/** A file whose blocks a parity file protects, with its length at the time of encoding. */
public record Member(long inode, long length) {}
