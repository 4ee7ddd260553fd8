// SPDX-License-Identifier: Apache-2.0
/** What the command line of the daemon draws on a terminal. */
package io.hdfsraid.raidnode.terminal;
