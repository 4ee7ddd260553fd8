/** The temporary directory of a command, which is removed when the command ends. */
package io.hdfsraid.rescue.workspace;
