/** What somebody who watches sees while a command of this module works. */
package io.hdfsraid.offline.terminal;
