// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers as a healthy RaidNode does, until told to answer otherwise. */
final class StubRaidNode implements AutoCloseable {
  private static final ObjectMapper JSON = ApiJson.mapper();

  /** The path of the only task there is. */
  static final String TASK = ApiPaths.TASKS + "/17";

  private final HttpServer server;
  private final Map<String, Object> answers = new ConcurrentHashMap<>();
  private final Map<String, Object> once = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Optional<String> token = Optional.empty();

  StubRaidNode() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    answers.put(ApiPaths.STATUS, Answers.status());
    answers.put(ApiPaths.POLICIES, Answers.policies());
    answers.put(ApiPaths.FILES, Answers.files());
    answers.put(ApiPaths.EXPLAIN, Answers.explanation());
    answers.put(ApiPaths.FSCK, Answers.fsck(new FsckReport.Summary(9, 0, 0, 0, 0)));
    answers.put(ApiPaths.PLACEMENT, Answers.placement(0, 0));
    answers.put(ApiPaths.NODES, Answers.nodes());
    answers.put(ApiPaths.SKEW, Answers.skew());
    answers.put(ApiPaths.REPAIRS, Answers.repairs());
    answers.put(ApiPaths.WINDOWS, Answers.windows());
    answers.put(ApiPaths.STORM, Answers.storm());
    answers.put(ApiPaths.DAEMON, Answers.activeDaemon("process 4711 on raid1", 3, ""));
    answers.put(ApiPaths.FAILOVER, Answers.failover());
    answers.put(ApiPaths.HISTORY, Answers.history());
    answers.put(ApiPaths.SETTINGS, Answers.settings());
    answers.put(ApiPaths.RAID, Answers.plan(Action.RAID, Outcome.PLANNED, 1));
    answers.put(ApiPaths.UNRAID, Answers.plan(Action.UNRAID, Outcome.PLANNED, 0));
    answers.put(ApiPaths.REPAIR, Answers.plan(Action.REPAIR, Outcome.PLANNED, 0));
    answers.put(ApiPaths.SCRUB, Answers.plan(Action.SCRUB, Outcome.PLANNED, 0));
    answers.put(ApiPaths.REPAIRS_CANCEL, Answers.plan(Action.CANCEL, Outcome.PLANNED, 0));
    answers.put(ApiPaths.QUARANTINE, Answers.quarantine());
    answers.put(ApiPaths.QUARANTINE_RESTORE, Answers.plan(Action.RESTORE, Outcome.PLANNED, 0));
    answers.put(ApiPaths.QUARANTINE_PURGE, Answers.plan(Action.PURGE, Outcome.PLANNED, 0));
    answers.put(ApiPaths.WITHDRAW, Answers.plan(Action.WITHDRAW, Outcome.PLANNED, 0));
    answers.put(ApiPaths.PAUSE, Answers.plan(Action.PAUSE, Outcome.PLANNED, 0));
    answers.put(ApiPaths.FOOTPRINT, Answers.noTraces());
    answers.put(ApiPaths.PLAN, Answers.outlook("local", 50 << 20));
    answers.put(ApiPaths.HISTOGRAM, Answers.histogram(true));
    answers.put(ApiPaths.SAVINGS, Answers.savings());
    answers.put(ApiPaths.TASKS, Page.last(List.of(Answers.task(TaskState.RUNNING).brief())));
    answers.put(TASK, Answers.task(TaskState.RUNNING));
    answers.put(TASK + "/cancel", Answers.plan(Action.CANCEL, Outcome.PLANNED, 0));
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * @param path the path or, if the methods of a path have different answers, method and path
   */
  void answer(String path, Object record) {
    answers.put(path, record);
  }

  /**
   * Answers the next request for the path in this way, and later ones as set by {@link #answer}.
   */
  void answerOnce(String path, Object record) {
    once.put(path, record);
  }

  void demandToken(String token) {
    this.token = Optional.of(token);
  }

  /** Method, path, query and body of each request. */
  List<String> asked() {
    return asked;
  }

  Object answerAt(String path) {
    return answers.get(path);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    asked.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + (body.isEmpty() ? "" : " " + body));
    Object answer = answerTo(exchange);
    int status = answer instanceof ApiError error ? error.code().httpStatus() : 200;
    byte[] bytes = write(answer);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private Object answerTo(HttpExchange exchange) {
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    if (token.isPresent() && !("Bearer " + token.get()).equals(given)) {
      return new ApiError(ErrorCode.UNAUTHORIZED, "The token is not the right one", "Ask for it.");
    }
    String path = exchange.getRequestURI().getPath();
    Object first = once.remove(path);
    if (first != null) {
      return first;
    }
    return Optional.ofNullable(answers.get(exchange.getRequestMethod() + " " + path))
        .or(() -> Optional.ofNullable(answers.get(path)))
        .orElse(new ApiError(ErrorCode.NOT_FOUND, "nothing here", ""));
  }

  static byte[] write(Object answer) throws JsonProcessingException {
    return JSON.writeValueAsBytes(answer);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
