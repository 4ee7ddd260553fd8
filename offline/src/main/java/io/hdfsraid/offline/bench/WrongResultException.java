package io.hdfsraid.offline.bench;

/** A rival gave a wrong result: how fast it did so is of no interest. */
final class WrongResultException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongResultException(Rival rival, String fault) {
    super("%s gave a wrong result: %s".formatted(rival.name(), fault));
  }
}
