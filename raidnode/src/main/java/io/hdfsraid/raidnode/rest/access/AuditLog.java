package io.hdfsraid.raidnode.rest.access;

import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.access.Person;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes a line for each request that changes something or is refused: who, how it is known, from
 * where, what, on what, and with which result. The logger is {@code audit}, so that the lines can
 * have an appender of their own.
 */
public final class AuditLog implements ContainerResponseFilter, ReaderInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger("audit");
  private static final String BODY = AuditLog.class.getName();
  private static final Set<String> QUESTIONS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final int FORBIDDEN = ErrorCode.FORBIDDEN.httpStatus();

  /** Longest text of a request that is logged: it can name thousands of stripes. */
  private static final int LONGEST = 1_000;

  @Context private HttpServletRequest servlet;

  @Override
  public Object aroundReadFrom(ReaderInterceptorContext reading) throws IOException {
    Object body = reading.proceed();
    reading.setProperty(BODY, body);
    return body;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (QUESTIONS.contains(request.getMethod()) && response.getStatus() != FORBIDDEN) {
      return;
    }
    LoggingEventBuilder line =
        line(Optional.of(Caller.of(request.getSecurityContext())), servlet, response.getStatus());
    Object body = request.getProperty(BODY);
    if (body != null) {
      line = line.addKeyValue("body", bounded(body.toString()));
    }
    if (response.getEntity() instanceof ChangePreview change) {
      line = line.addKeyValue("files", change.files()).addKeyValue("outcome", change.outcome());
    } else if (response.getEntity() instanceof ApiError error) {
      line = line.addKeyValue("why", bounded(error.message()));
    }
    line.log("{} {}", request.getMethod(), request.getUriInfo().getRequestUri().getRawPath());
  }

  /** Writes a line for a request on the admin port that changes something. */
  static void changed(Person person, HttpServletRequest request, int status) {
    if (!QUESTIONS.contains(request.getMethod())) {
      line(Optional.of(person), request, status)
          .log("{} {}", request.getMethod(), request.getRequestURI());
    }
  }

  /** Writes a line for a request that was refused before it was read. */
  static void refused(Optional<Person> person, HttpServletRequest request, ApiError error) {
    line(person, request, error.code().httpStatus())
        .addKeyValue("why", bounded(error.message()))
        .log("{} {}", request.getMethod(), request.getRequestURI());
  }

  private static LoggingEventBuilder line(
      Optional<Person> person, HttpServletRequest request, int status) {
    return LOG.atInfo()
        .addKeyValue("user", person.map(Person::user).orElse("nobody"))
        .addKeyValue("known", person.map(some -> some.proven() ? "token" : "unproven").orElse("no"))
        .addKeyValue("from", request.getRemoteAddr())
        .addKeyValue("status", status);
  }

  private static String bounded(String text) {
    String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    // Values stand in quotes, and no name of a file ends one.
    return shown.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
