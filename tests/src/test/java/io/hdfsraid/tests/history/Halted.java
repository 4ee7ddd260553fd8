// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

/**
 * Stands in for the death of the daemon's process; nothing of the product catches it on purpose.
 */
final class Halted extends Error {
  private static final long serialVersionUID = 1L;

  Halted(String where) {
    super("The daemon was halted after " + where);
  }
}
