// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.policies;

/**
 * Policies to validate without putting them in force.
 *
 * @param yaml the content of a {@code policies.yml}
 */
public record ValidatePoliciesRequest(String yaml) {
  public ValidatePoliciesRequest {
    if (yaml == null) {
      throw new IllegalArgumentException(
          "yaml must be the content of a policies.yml, but is missing");
    }
  }
}
