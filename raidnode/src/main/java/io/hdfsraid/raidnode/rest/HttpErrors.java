// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;

/** The errors of requests that no endpoint sees, by their HTTP status. */
final class HttpErrors {
  static final int TOO_LARGE = 413;

  private static final String HEADERS =
      "maxRequestHeaderSize of the connector in raidnode.yml can be more than the %d KiB that are allowed anyway"
          .formatted(RaidNodeConfiguration.LONGEST_HEADERS.toKibibytes());

  private HttpErrors() {}

  static ApiError of(int status) {
    return switch (status) {
      case 401 -> of(ErrorCode.UNAUTHORIZED, status, "The request needs a token", "");
      case 403 -> of(ErrorCode.FORBIDDEN, status, "The request is not allowed", "");
      case 404 ->
          of(ErrorCode.NOT_FOUND, status, "There is nothing here", "The API is below /api/v1.");
      case 405 ->
          of(
              ErrorCode.BAD_REQUEST,
              status,
              "This path does not support this method",
              "Changes are POST, a change of settings is PUT, and questions are GET.");
      case 406 ->
          of(
              ErrorCode.BAD_REQUEST,
              status,
              "The answer is JSON, which the header Accept excludes",
              "Send Accept: application/json");
      case 408 ->
          of(ErrorCode.BAD_REQUEST, status, "The request did not arrive in time", "Send it again.");
      case TOO_LARGE ->
          of(
              ErrorCode.BAD_REQUEST,
              status,
              "The body is larger than %d MiB".formatted(ProblemPages.MOST_BODY >> 20),
              "Send several requests.");
      case 414 ->
          of(
              ErrorCode.BAD_REQUEST,
              status,
              "The address of the request is too long",
              HEADERS + ".");
      case 415 ->
          of(
              ErrorCode.BAD_REQUEST,
              status,
              "The body must be JSON, and not compressed",
              "Send Content-Type: application/json, and no Content-Encoding.");
      case 431 ->
          of(
              ErrorCode.BAD_REQUEST,
              status,
              "The headers of the request are too long",
              "Send fewer headers. " + HEADERS + ", for all headers together.");
      case 503 -> of(ErrorCode.NOT_READY, status, "The daemon cannot answer now", "Ask later.");
      default ->
          status / 100 == 4
              ? of(
                  ErrorCode.BAD_REQUEST,
                  status,
                  "The request is not well-formed",
                  "Check its address and its headers.")
              : of(
                  ErrorCode.INTERNAL,
                  status,
                  "The daemon failed",
                  "The log of the daemon may have the details.");
    };
  }

  private static ApiError of(ErrorCode code, int status, String message, String hint) {
    return new ApiError(code, status, message, hint);
  }
}
