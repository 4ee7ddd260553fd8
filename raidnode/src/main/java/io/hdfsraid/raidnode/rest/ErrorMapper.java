// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.jetty.http.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns every failure into a problem of RFC 9457 with code and hint. Failures of the daemon itself
 * are also logged.
 */
public final class ErrorMapper implements ExceptionMapper<Throwable> {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

  private final OutageFeature outage;

  /** Creates a mapper for a daemon that does not work yet. */
  public ErrorMapper() {
    this(new OutageFeature(Optional::empty, KnownTrouble.NONE));
  }

  public ErrorMapper(OutageFeature outage) {
    this.outage = outage;
  }

  @Override
  public Response toResponse(Throwable failure) {
    ApiError error = error(failure);
    Response.ResponseBuilder response =
        Response.status(error.status()).type(ApiError.MEDIA_TYPE).entity(error);
    if (failure instanceof WebApplicationException http) {
      // RFC 9110 requires it of 405.
      String allow = http.getResponse().getHeaderString(HttpHeaders.ALLOW);
      if (allow != null) {
        response.header(HttpHeaders.ALLOW, allow);
      }
    }
    if (error.code() == ErrorCode.FORBIDDEN
        || error.status() == HttpErrors.TOO_LARGE
        || error.code() == ErrorCode.NOT_READY) {
      // Nobody has read the body, so Jetty closes the connection.
      response.header("Connection", "close");
    }
    return response.build();
  }

  private ApiError error(Throwable failure) {
    if (failure instanceof ApiFailure known) {
      return known.error();
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpException http) {
        return HttpErrors.of(http.getCode()); // the body is too large, or does not arrive
      }
    }
    if (failure instanceof JsonProcessingException json) {
      return unreadable(json);
    }
    if (failure instanceof RefusedException || failure instanceof FileInWorkException) {
      return new ApiError(ErrorCode.REFUSED, failure.getMessage(), "");
    }
    if (failure instanceof FileNotFoundException) {
      return new ApiError(ErrorCode.NOT_FOUND, Failures.words(failure), "");
    }
    Optional<ApiFailure> away = outage.answer(failure);
    if (away.isPresent()) {
      return away.get().error();
    }
    if (failure instanceof IOException) {
      LOG.warn("A request failed on HDFS", failure);
      return new ApiError(
          ErrorCode.IO,
          "HDFS did not answer as needed: " + Failures.words(failure),
          "The daemon's log has more; check the health of the NameNode.");
    }
    if (failure instanceof WebApplicationException http) {
      return of(http);
    }
    return internal(failure);
  }

  private static ApiError of(WebApplicationException http) {
    int status = http.getResponse().getStatus();
    if (http.getCause() instanceof JsonProcessingException json) {
      return unreadable(json);
    }
    return status / 100 == 4 ? HttpErrors.of(status) : internal(http);
  }

  private static ApiError unreadable(JsonProcessingException json) {
    return new ApiError(
        ErrorCode.BAD_REQUEST,
        JsonErrors.message(json),
        "/api/v1/openapi.json describes the bodies of all requests.");
  }

  private static ApiError internal(Throwable failure) {
    String id = UUID.randomUUID().toString().substring(0, 8);
    LOG.error("Request failed, error {}", id, failure);
    return new ApiError(
        ErrorCode.INTERNAL,
        "The daemon failed, error " + id,
        "The log of the daemon has the details under this number.");
  }
}
