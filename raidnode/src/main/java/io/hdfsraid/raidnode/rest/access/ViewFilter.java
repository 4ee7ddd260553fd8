// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidnode.access.PermittedPaths;
import io.hdfsraid.raidnode.access.PermittedPaths.Sight;
import io.hdfsraid.raidnode.access.PermittedPaths.TooManyException;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.QueryParameters;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps from viewers the names of files that HDFS would not let them list. It filters every answer
 * as a whole, so no endpoint can forget to. Operators and admins see everything: they raid and
 * repair files of all users.
 *
 * <p>A viewer who asks for a hidden path or inode gets the same answer as for one that does not
 * exist.
 */
@Priority(ViewFilter.AFTER_ROLES)
public final class ViewFilter
    implements ContainerRequestFilter, ContainerResponseFilter, ReaderInterceptor {
  /** Questions are looked at before all other filters do, and answers after them. */
  static final int AFTER_ROLES = Priorities.AUTHORIZATION + 100;

  private static final String EVERYTHING = "/";
  private static final String SIGHT = ViewFilter.class.getName();

  /** Errors whose words are those of the daemon and of the request itself. */
  private static final Set<ErrorCode> WITHOUT_NAMES =
      EnumSet.of(ErrorCode.BAD_REQUEST, ErrorCode.UNAUTHORIZED, ErrorCode.FORBIDDEN);

  /** Headers of an answer that tell whether there is one. */
  private static final Set<String> HEADERS_WITH_NAMES =
      Set.of(HttpHeaders.LOCATION, ApiPaths.REPLAYED_HEADER);

  private static final ApiError NOTHING =
      new ApiError(
          ErrorCode.NOT_FOUND,
          "There is nothing here that you may see",
          "Viewers see what HDFS lets them list, and nothing if something else than HDFS, such as"
              + " Apache Ranger, decides that. Operators and admins see everything.");

  private final PermittedPaths paths;
  private final ObjectMapper json = ApiJson.mapper();

  public ViewFilter(PermittedPaths paths) {
    this.paths = paths;
  }

  /** Refuses questions about paths whose names the sender may not see. */
  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    Optional<Sight> sight = limited(request.getSecurityContext());
    sight.ifPresent(limited -> request.setProperty(SIGHT, limited));
    String path = request.getUriInfo().getQueryParameters().getFirst(ApiPaths.PATH);
    if (sight.isPresent() && path != null) {
      requireSeen(path, sight.get());
    }
  }

  /** The same for the question that viewers may send as a body. */
  @Override
  public Object aroundReadFrom(ReaderInterceptorContext reading) throws IOException {
    Object body = reading.proceed();
    if (body instanceof FsckRequest question && reading.getProperty(SIGHT) instanceof Sight sight) {
      requireSeen(question.path(), sight);
    }
    return body;
  }

  private static void requireSeen(String path, Sight sight) throws IOException {
    String asked = QueryParameters.absolute(path);
    if (!asked.equals(EVERYTHING) && !sight.opens(asked)) {
      throw new ApiFailure(NOTHING.code(), NOTHING.message(), NOTHING.hint());
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response)
      throws IOException {
    Optional<Sight> sight = limited(request.getSecurityContext());
    Object answer = response.getEntity();
    // Only the description of the API itself is bytes.
    if (sight.isEmpty() || answer == null || answer instanceof byte[]) {
      return;
    }
    if (answer instanceof ApiError error) {
      response.setEntity(error(error, sight.get()));
      return;
    }
    try {
      Optional<JsonNode> seen = new SeenAnswer(sight.get()).of(json.valueToTree(answer));
      if (seen.isPresent()) {
        response.setEntity(seen.get());
      } else {
        replace(response, NOTHING);
      }
    } catch (TooManyException e) {
      replace(
          response,
          new ApiError(
              ErrorCode.REFUSED,
              e.getMessage(),
              "Ask for a smaller page or one directory, or ask as an operator."));
    }
  }

  private static void replace(ContainerResponseContext response, ApiError error) {
    response.setStatus(error.status());
    HEADERS_WITH_NAMES.forEach(response.getHeaders()::remove);
    response.setEntity(
        error, response.getEntityAnnotations(), MediaType.valueOf(ApiError.MEDIA_TYPE));
  }

  private static ApiError error(ApiError error, Sight sight) {
    if (error.code() == ErrorCode.NOT_FOUND) {
      return NOTHING; // the same for what is hidden and for what does not exist
    }
    if (WITHOUT_NAMES.contains(error.code())) {
      return error;
    }
    SeenAnswer seen = new SeenAnswer(sight);
    return new ApiError(
        error.code(), error.status(), seen.text(error.message()), seen.text(error.hint()));
  }

  /** Returns the names that the sender may see; empty if that is all of them. */
  private Optional<Sight> limited(SecurityContext request) {
    return Optional.of(Caller.of(request))
        .filter(person -> person.lacks(Role.OPERATOR).isPresent())
        .map(paths::of);
  }
}
