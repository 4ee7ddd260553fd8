// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.access.KnownBy;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.audit.AuditEntry;
import io.hdfsraid.raidnode.audit.AuditRecorder;
import io.hdfsraid.raidnode.rest.ApiFailure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Records each request that changes something or is refused: who, how it is known, from where,
 * what, on what, why, and with which result.
 */
public final class AuditLog implements ContainerResponseFilter, ReaderInterceptor {
  private static final String BODY = AuditLog.class.getName();

  /** Without what a request does not say. */
  private static final ObjectMapper BODIES =
      ApiJson.mapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_ABSENT);

  private static final Set<String> QUESTIONS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final Collector<CharSequence, ?, String> JOINED = Collectors.joining(", ");
  private static final int FORBIDDEN = ErrorCode.FORBIDDEN.httpStatus();

  private final AuditRecorder recorder;
  private final boolean requireReason;
  private final Clock clock;

  @Context private HttpServletRequest servlet;

  /**
   * @param requireReason whether a change without a reason is refused
   */
  public AuditLog(AuditRecorder recorder, boolean requireReason, Clock clock) {
    this.recorder = recorder;
    this.requireReason = requireReason;
    this.clock = clock;
  }

  /** Returns the change that a request asks for; empty if its body is none, or was not read. */
  public static Optional<ChangeRequest> change(ContainerRequestContext request) {
    return request.getProperty(BODY) instanceof ChangeRequest change
        ? Optional.of(change)
        : Optional.empty();
  }

  @Override
  public Object aroundReadFrom(ReaderInterceptorContext reading) throws IOException {
    Object body = reading.proceed();
    reading.setProperty(BODY, body);
    if (requireReason
        && body instanceof ChangeRequest change
        && !change.dryRun()
        && Cause.current().reason().isEmpty()) {
      throw ApiFailure.badRequest(
          "This daemon requires a reason for each change",
          "Give one with --reason, or in the header " + ApiPaths.REASON_HEADER + ".");
    }
    return body;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response)
      throws IOException {
    if (isQuestion(request.getMethod()) && response.getStatus() != FORBIDDEN) {
      return;
    }
    AuditEntry entry =
        entry(
            Optional.of(Caller.of(request.getSecurityContext())),
            servlet,
            request.getUriInfo().getRequestUri().getRawPath(),
            response.getStatus());
    Object body = request.getProperty(BODY);
    if (body != null) {
      entry.with("body", BODIES.writeValueAsString(body));
    }
    if (body instanceof ChangeRequest change) {
      entry.with("dryRun", change.dryRun());
    }
    if (response.getEntity() instanceof ChangePreview change) {
      describe(change, entry);
    } else if (response.getEntity() instanceof TaskReport task) {
      entry.with("path", task.path()).with("task", task.id());
    } else if (response.getEntity() instanceof SettingsReport settings) {
      entry
          .with("before", settings.changes().stream().map(AuditLog::before).collect(JOINED))
          .with("after", settings.changes().stream().map(AuditLog::after).collect(JOINED));
    } else if (response.getEntity() instanceof ApiError error) {
      error.change().ifPresent(change -> describe(change, entry));
      entry.with("why", error.message());
    }
    recorder.requested(entry);
  }

  /** Returns whether requests with this method change nothing. */
  static boolean isQuestion(String method) {
    return QUESTIONS.contains(method);
  }

  private static void describe(ChangePreview change, AuditEntry entry) {
    entry
        .with("path", change.path())
        .with("files", change.files())
        .with("outcome", change.outcome());
    change.task().ifPresent(task -> entry.with("task", task));
  }

  private static String before(SettingsReport.Change change) {
    return change.key() + "=" + change.from();
  }

  private static String after(SettingsReport.Change change) {
    return change.key() + "=" + change.to();
  }

  /** Records a request on the admin port that changes something. */
  void changed(Person person, HttpServletRequest request, int status) {
    if (!isQuestion(request.getMethod())) {
      recorder.requested(entry(Optional.of(person), request, request.getRequestURI(), status));
    }
  }

  /** Records a request that was refused before it was read. */
  void refused(Optional<Person> person, HttpServletRequest request, ApiError error) {
    AuditEntry entry =
        entry(person, request, request.getRequestURI(), error.code().httpStatus())
            .with("why", error.message());
    if (person.isPresent()) {
      recorder.requested(entry);
    } else {
      recorder.rejected(entry);
    }
  }

  private AuditEntry entry(
      Optional<Person> person, HttpServletRequest request, String uri, int status) {
    Cause cause = Cause.current();
    return new AuditEntry(clock.instant(), request.getMethod() + " " + uri)
        .with("user", person.map(Person::user).orElse("nobody"))
        .with("known", person.map(Person::known).map(KnownBy::toString).orElse("no"))
        .with("from", String.valueOf(request.getRemoteAddr()))
        .with("request", cause.request())
        .with("reason", cause.reason())
        .with("status", status);
  }
}
