package io.hdfsraid.raidapi;

/**
 * Policies that may be put in force some day.
 *
 * @param yaml the content of a {@code policies.yml}
 */
public record PoliciesDraft(String yaml) {
  public PoliciesDraft {
    if (yaml == null) {
      throw new IllegalArgumentException(
          "yaml must be the content of a policies.yml, but is missing");
    }
  }
}
