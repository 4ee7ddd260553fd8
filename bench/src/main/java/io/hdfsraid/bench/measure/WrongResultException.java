// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

/** A task gave a wrong result, so its speed does not count. */
public final class WrongResultException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongResultException(Task task, String fault) {
    super("%s gave a wrong result: %s".formatted(task.name(), fault));
  }
}
