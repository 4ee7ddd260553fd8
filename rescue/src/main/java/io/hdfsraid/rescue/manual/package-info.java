/** What the build makes of the command lines: manual pages, completion, and names for launchers. */
package io.hdfsraid.rescue.manual;
