package io.hdfsraid.raidnode.catalog.problem;

/**
 * The catalog cannot be used. The message says what to do and needs no stack trace beside it; what
 * was being remembered is lost, which costs work and never data.
 */
public final class CatalogException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CatalogException(String message) {
    super(message);
  }

  public CatalogException(String message, Throwable cause) {
    super(message, cause);
  }

  public static CatalogException unreadable(Object folder, String what) {
    return new CatalogException(
        "The catalog in %s cannot be read: %s. Delete the folder: it will be rebuilt from HDFS."
            .formatted(folder, what));
  }
}
