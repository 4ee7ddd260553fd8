/** Files, and how old and how large they are. */
package io.hdfsraid.raidapi.files;
