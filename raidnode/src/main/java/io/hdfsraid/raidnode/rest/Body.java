package io.hdfsraid.raidnode.rest;

/** What comes with a request that changes something. */
final class Body {
  static final String PATH = "{\"path\": \"/...\"}";

  private Body() {}

  /**
   * The body, which must be there.
   *
   * @param example what one looks like, for whoever sent none
   */
  static <T> T present(T request, String example) {
    if (request == null) {
      throw ApiFailure.badRequest("The request has no body", "Send " + example);
    }
    return request;
  }
}
