// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.access.Caller;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Starts no task twice for requests with the same {@value ApiPaths#IDEMPOTENCY_KEY_HEADER} of the
 * same user: the second gets the answer of the first. Only requests that have started a task are
 * remembered, as the ids of these tasks; all others have changed nothing and are answered anew.
 */
@StartsTask
@Priority(Priorities.USER + 100)
public final class StartedOnce implements ContainerRequestFilter, ContainerResponseFilter {
  private static final String PROPERTY = StartedOnce.class.getName();
  private static final Pattern KEY = Pattern.compile("[!-~]{1,200}");
  private static final long MOST = 10_000;
  private static final Duration REMEMBERED = Duration.ofHours(24);
  private static final int UNPROCESSABLE = 422;

  private final Cache<Key, Start> starts;
  private final Function<String, Optional<TaskReport>> tasks;

  /** The key of a request. Users cannot see each other's. */
  private record Key(String user, String text) {}

  /**
   * A request with a key.
   *
   * @param request hash of the path and the body
   * @param task empty until the request is answered
   */
  private record Start(Key key, String request, Optional<String> task) {}

  /**
   * @param tasks finds a task by its id
   */
  public StartedOnce(Function<String, Optional<TaskReport>> tasks, Clock clock) {
    this.tasks = tasks;
    this.starts =
        Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterWrite(REMEMBERED)
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
            .build();
  }

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    String text = request.getHeaderString(ApiPaths.IDEMPOTENCY_KEY_HEADER);
    if (text == null) {
      return;
    }
    if (!KEY.matcher(text).matches()) {
      throw ApiFailure.badRequest(
          "The header %s is no key".formatted(ApiPaths.IDEMPOTENCY_KEY_HEADER),
          "It has 1 to 200 visible characters, such as a UUID.");
    }
    byte[] body = request.getEntityStream().readAllBytes();
    request.setEntityStream(new ByteArrayInputStream(body));
    Start mine =
        new Start(
            new Key(Caller.by(request.getSecurityContext()), text),
            hash(request.getUriInfo().getPath(), body),
            Optional.empty());
    Start earlier = starts.asMap().putIfAbsent(mine.key(), mine);
    if (earlier == null) {
      request.setProperty(PROPERTY, mine);
    } else {
      request.abortWith(again(mine, earlier));
    }
  }

  private Response again(Start mine, Start earlier) {
    if (!earlier.request().equals(mine.request())) {
      throw new ApiFailure(
          new ApiError(
              ErrorCode.BAD_REQUEST,
              UNPROCESSABLE,
              "The key '%s' was sent with another request".formatted(mine.key().text()),
              "Send a new key with each new request."));
    }
    if (earlier.task().isEmpty()) {
      throw ApiFailure.refused(
          "A request with the key '%s' is being answered".formatted(mine.key().text()),
          "Send the request again in some seconds to get the same answer.");
    }
    String id = earlier.task().get();
    Optional<TaskReport> task = tasks.apply(id);
    if (task.isEmpty()) {
      throw ApiFailure.refused(
          "The key '%s' has started task %s, which is no longer kept"
              .formatted(mine.key().text(), id),
          "'raidshell history' lists what was done.");
    }
    Object answer = task.get().change().map(Object.class::cast).orElseGet(task::get);
    return Response.ok(answer, MediaType.APPLICATION_JSON_TYPE)
        .header(ApiPaths.REPLAYED_HEADER, "true")
        .build();
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getProperty(PROPERTY) instanceof Start mine) {
      Optional<String> task = task(response.getEntity());
      if (task.isPresent()) {
        starts.put(mine.key(), new Start(mine.key(), mine.request(), task));
      } else {
        starts.invalidate(mine.key());
      }
    }
  }

  private static Optional<String> task(Object answer) {
    if (answer instanceof ChangePreview change) {
      return change.task();
    }
    return answer instanceof TaskReport task ? Optional.of(task.id()) : Optional.empty();
  }

  private static String hash(String path, byte[] body) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update((path + "\n").getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sha.digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
