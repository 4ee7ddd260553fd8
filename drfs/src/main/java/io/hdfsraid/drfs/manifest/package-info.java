/** The record that binds parity to the exact blocks it protects, and its bytes. */
package io.hdfsraid.drfs.manifest;
