package io.hdfsraid.raidnode.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns every failure into an error with code, message and hint. Failures of the daemon itself are
 * also logged.
 */
public final class ErrorMapper implements ExceptionMapper<Throwable> {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

  @Override
  public Response toResponse(Throwable failure) {
    ApiError error = error(failure);
    int status =
        failure instanceof WebApplicationException http
            ? http.getResponse().getStatus()
            : error.code().httpStatus();
    Response.ResponseBuilder response =
        Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(error);
    if (error.code() == ErrorCode.FORBIDDEN) {
      // Nobody has read the body, so Jetty closes the connection.
      response.header("Connection", "close");
    }
    return response.build();
  }

  private static ApiError error(Throwable failure) {
    if (failure instanceof ApiFailure known) {
      return known.error();
    }
    if (failure instanceof JsonProcessingException json) {
      return new ApiError(ErrorCode.BAD_REQUEST, message(json), "See docs/rest.md.");
    }
    if (failure instanceof RefusedException || failure instanceof FileInWorkException) {
      return new ApiError(ErrorCode.REFUSED, failure.getMessage(), "");
    }
    if (failure instanceof FileNotFoundException) {
      return new ApiError(ErrorCode.NOT_FOUND, failure.getMessage(), "");
    }
    if (failure instanceof IOException) {
      LOG.warn("A request failed on HDFS", failure);
      return new ApiError(
          ErrorCode.IO,
          "HDFS did not answer as needed: " + failure.getMessage(),
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
      return new ApiError(ErrorCode.BAD_REQUEST, message(json), "");
    }
    return switch (status) {
      case 404 ->
          new ApiError(ErrorCode.NOT_FOUND, "There is nothing here", "The API is below /api/v1.");
      case 405 ->
          new ApiError(
              ErrorCode.BAD_REQUEST,
              "This path does not support this method",
              "Changes are POST, a change of settings is PUT, and questions are GET.");
      case 415 ->
          new ApiError(
              ErrorCode.BAD_REQUEST,
              "The body must be JSON",
              "Send Content-Type: application/json");
      default ->
          status / 100 == 4
              ? new ApiError(ErrorCode.BAD_REQUEST, http.getMessage(), "")
              : internal(http);
    };
  }

  private static ApiError internal(Throwable failure) {
    String id = UUID.randomUUID().toString().substring(0, 8);
    LOG.error("Request failed, error {}", id, failure);
    return new ApiError(
        ErrorCode.INTERNAL,
        "The daemon failed, error " + id,
        "The log of the daemon has the details under this number.");
  }

  private static String message(JsonProcessingException json) {
    if (json instanceof UnrecognizedPropertyException unknown) {
      return "There is no field %s here; the fields are %s"
          .formatted(unknown.getPropertyName(), unknown.getKnownPropertyIds());
    }
    if (json instanceof JsonMappingException
        && json.getCause() instanceof IllegalArgumentException) {
      return json.getCause().getMessage();
    }
    return json.getOriginalMessage().lines().findFirst().orElse("The body is not JSON");
  }
}
