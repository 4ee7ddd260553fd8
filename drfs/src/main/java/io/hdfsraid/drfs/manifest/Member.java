package io.hdfsraid.drfs.manifest;

/** A file whose blocks a parity file protects, as long as it was when it was encoded. */
public record Member(long inode, long length) {}
