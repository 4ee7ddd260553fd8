// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

/** Checks the bodies of requests. */
public final class RequestBody {
  public static final String PATH = "{\"path\": \"/...\"}";

  private RequestBody() {}

  /**
   * Returns the body of a request.
   *
   * @param example an example of a body, for the hint
   * @throws ApiFailure if there is no body
   */
  public static <T> T present(T request, String example) {
    if (request == null) {
      throw ApiFailure.badRequest("The request has no body", "Send " + example);
    }
    return request;
  }
}
