// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.access.Me;
import io.hdfsraid.raidapi.codecs.CodecsReport;
import io.hdfsraid.raidapi.files.FileDetail;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.repairs.StormRequest;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.version.VersionReport;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * A client of a RaidNode's REST API. Every failure is a {@link RaidNodeException} with a code and a
 * hint, or an {@link InterruptedIOException} if the thread was interrupted before the request. An
 * interrupt does not end the wait for an answer. A daemon that stands by sends the client to the
 * active one, unless it is asked about {@linkplain #daemon itself}. Safe for use by several
 * threads.
 */
public final class RaidNodeClient {
  /** Longest wait for an answer: an fsck of a large tree looks up the blocks of every stripe. */
  public static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

  private static final int TEMPORARY_REDIRECT = 307;
  private static final Duration PING_TIMEOUT = Duration.ofSeconds(10);

  private final URI base;
  private final Optional<Proof> proof;
  private final Duration timeout;
  private final String reason;
  private final Optional<String> key;
  private final HttpSender http;

  /** Whether another daemon has sent us to this one: it would be a circle to be sent on. */
  private final boolean redirected;

  private final ObjectMapper json = ApiJson.mapper();

  private RaidNodeClient(
      URI base,
      Optional<Proof> proof,
      Duration timeout,
      String reason,
      Optional<String> key,
      HttpSender http,
      boolean redirected) {
    if (base.getHost() == null
        || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
      throw new IllegalArgumentException(
          "The address of a RaidNode looks like http://host:8090, but got '" + base + "'");
    }
    this.base = base;
    this.proof = proof;
    this.timeout = timeout;
    this.reason = reason;
    this.key = key;
    this.http = http;
    this.redirected = redirected;
  }

  private RaidNodeClient(
      URI base,
      Optional<Proof> proof,
      Duration timeout,
      String reason,
      Optional<String> key,
      HttpSender http) {
    this(base, proof, timeout, reason, key, http, false);
  }

  /** Returns a client without a token, for a daemon that asks this machine for none. */
  public static RaidNodeClient at(URI base) {
    return new RaidNodeClient(
        base,
        Optional.empty(),
        ANSWER_TIMEOUT,
        "",
        Optional.empty(),
        new HttpSender(Optional.empty()));
  }

  /** Returns a client that trusts the certificates of a PEM file and no others. */
  public RaidNodeClient withCertificates(Path file) throws RaidNodeException {
    try {
      HttpSender trusting = new HttpSender(Optional.of(CertificateFile.trusting(file)));
      return new RaidNodeClient(base, proof, timeout, reason, key, trusting);
    } catch (IOException e) {
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          "The certificates in %s cannot be used: %s".formatted(file, e),
          "Give the certificate of the authority that signed the one of the RaidNode, in PEM.",
          e);
    }
  }

  /**
   * Returns a client that also sends the token in a file.
   *
   * @throws RaidNodeException also if the token would travel unencrypted to another machine
   */
  public RaidNodeClient withTokenFile(Path file) throws RaidNodeException {
    requireEncryption("token");
    try {
      String content = Files.readString(file).strip();
      if (content.isEmpty() || content.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new RaidNodeException(
            ErrorCode.NO_TOKEN,
            "The token file " + file + " does not hold exactly one token",
            "It holds what 'raidnode token create' has printed: one line.");
      }
      Proof bearer = address -> "Bearer " + content;
      return new RaidNodeClient(base, Optional.of(bearer), timeout, reason, key, http);
    } catch (RaidNodeException e) {
      throw e;
    } catch (IOException e) {
      throw new RaidNodeException(
          ErrorCode.NO_TOKEN,
          "The token file " + file + " cannot be read: " + e.getClass().getSimpleName(),
          "Check the path, and that you may read it.",
          e);
    }
  }

  /**
   * Returns a client that proves who it is by the Kerberos tickets that {@code kinit} has got.
   *
   * @throws RaidNodeException if there is no ticket; also if a ticket would travel unencrypted to
   *     another machine
   */
  public RaidNodeClient withKerberos() throws RaidNodeException {
    requireEncryption("Kerberos ticket");
    return new RaidNodeClient(base, Optional.of(TicketCache.open()), timeout, reason, key, http);
  }

  private void requireEncryption(String what) throws RaidNodeException {
    if (base.getScheme().equals("http") && !isThisMachine(base.getHost())) {
      throw new RaidNodeException(
          ErrorCode.NO_TOKEN,
          "The %s would travel unencrypted to %s".formatted(what, base.getHost()),
          "Have the RaidNode serve https (docs/https.md), and use https://.");
    }
  }

  private static boolean isThisMachine(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Returns a client that waits at most this long for an answer. */
  public RaidNodeClient withTimeout(Duration timeout) {
    return new RaidNodeClient(base, proof, timeout, reason, key, http);
  }

  /**
   * Returns a client that also sends why it changes something. The audit and the history say it.
   *
   * @param reason may be empty
   * @throws IllegalArgumentException if it is longer than {@link ChangeRequest#LONGEST_REASON}
   */
  public RaidNodeClient withReason(String reason) {
    if (reason.strip().length() > ChangeRequest.LONGEST_REASON) {
      throw new IllegalArgumentException(
          "A reason has at most %d characters, and this one has %d"
              .formatted(ChangeRequest.LONGEST_REASON, reason.strip().length()));
    }
    return new RaidNodeClient(base, proof, timeout, reason.strip(), key, http);
  }

  /**
   * Returns a client for one request that starts a task. If this request is sent again with the
   * same key, for example because its answer was lost, the daemon does not start it twice.
   *
   * @param key 1 to 200 visible characters, such as a UUID
   */
  public RaidNodeClient withIdempotencyKey(String key) {
    return new RaidNodeClient(base, proof, timeout, reason, Optional.of(key), http);
  }

  /** Returns the description of the API, as OpenAPI 3.1. */
  public JsonNode openApi() throws IOException {
    return get(ApiPaths.OPENAPI, Map.of(), new TypeReference<>() {});
  }

  /** Returns who this client is to the daemon. */
  public Me me() throws IOException {
    return get(ApiPaths.ME, Map.of(), new TypeReference<>() {});
  }

  public VersionReport version() throws IOException {
    return get(ApiPaths.VERSION, Map.of(), new TypeReference<>() {});
  }

  public CodecsReport codecs() throws IOException {
    return get(ApiPaths.CODECS, Map.of(), new TypeReference<>() {});
  }

  public NodesReport nodes() throws IOException {
    return get(ApiPaths.NODES, Map.of(), new TypeReference<>() {});
  }

  public Status status() throws IOException {
    return get(ApiPaths.STATUS, Map.of(), new TypeReference<>() {});
  }

  public PoliciesReport policies() throws IOException {
    return get(ApiPaths.POLICIES, Map.of(), new TypeReference<>() {});
  }

  /** Validates policies that are not in force. Changes nothing. */
  public PoliciesValidation validate(ValidatePoliciesRequest policies) throws IOException {
    return post(ApiPaths.POLICIES_VALIDATE, policies, new TypeReference<>() {});
  }

  /**
   * Returns what the policies will do, by the last evaluation of all files.
   *
   * @param policy one policy; empty for all policies
   */
  public RaidingPlan plan(Optional<String> policy) throws IOException {
    Map<String, String> query =
        policy.map(name -> Map.of(ApiPaths.POLICY, name)).orElseGet(Map::of);
    return get(ApiPaths.PLAN, query, new TypeReference<>() {});
  }

  /** Returns how old, how large and how often replicated the files at or below a path are. */
  public FileHistogram histogram(String below) throws IOException {
    return get(ApiPaths.HISTOGRAM, Map.of(ApiPaths.PATH, below), new TypeReference<>() {});
  }

  /**
   * Lists files that the daemon knows.
   *
   * @param below a file or directory; {@code /} for all files
   * @param state only files in this state; empty for any state
   */
  public Page<FileSummary> files(String below, Optional<FileState> state, Paging paging)
      throws IOException {
    Map<String, String> query = query(below, paging);
    state.ifPresent(wanted -> query.put(ApiPaths.STATE, wanted.name()));
    return get(ApiPaths.FILES, query, new TypeReference<>() {});
  }

  public FileDetail file(long inode) throws IOException {
    String path = ApiPaths.FILE.replace("{inode}", Long.toString(inode));
    return get(path, Map.of(), new TypeReference<>() {});
  }

  public FileExplanation explain(String path) throws IOException {
    return get(ApiPaths.EXPLAIN, Map.of(ApiPaths.PATH, path), new TypeReference<>() {});
  }

  public FsckReport fsck(String below, Paging paging) throws IOException {
    return get(ApiPaths.FSCK, query(below, paging), new TypeReference<>() {});
  }

  /** Checks the health of files as a task, which has the report once it has ended. */
  public TaskReport fsck(FsckRequest request) throws IOException {
    return post(ApiPaths.FSCK, request, new TypeReference<>() {});
  }

  /**
   * Lists tasks, newest first.
   *
   * @param state only tasks in this state; empty for any state
   */
  public Page<TaskReport> tasks(Optional<TaskState> state, Paging paging) throws IOException {
    Map<String, String> query = query(paging);
    state.ifPresent(wanted -> query.put(ApiPaths.STATE, wanted.name()));
    return get(ApiPaths.TASKS, query, new TypeReference<>() {});
  }

  public TaskReport task(String id) throws IOException {
    return get(ApiPaths.TASK.replace("{id}", encoded(id)), Map.of(), new TypeReference<>() {});
  }

  public ChangePreview cancelTask(String id, CancelTaskRequest request) throws IOException {
    return post(ApiPaths.TASK_CANCEL.replace("{id}", encoded(id)), request);
  }

  public PlacementReport placement(String below, Paging paging) throws IOException {
    return get(ApiPaths.PLACEMENT, query(below, paging), new TypeReference<>() {});
  }

  public SkewReport skew() throws IOException {
    return get(ApiPaths.SKEW, Map.of(), new TypeReference<>() {});
  }

  public Page<QueuedRepair> repairs(Paging paging) throws IOException {
    return get(ApiPaths.REPAIRS, query(paging), new TypeReference<>() {});
  }

  /** Returns whether most repairs pause because much has failed at once. */
  public StormReport storm() throws IOException {
    return get(ApiPaths.STORM, Map.of(), new TypeReference<>() {});
  }

  /** Returns what the daemon at this very address says of itself, also if it stands by. */
  public DaemonReport daemon() throws IOException {
    HttpSender.Answer answer = sendHere("GET", ApiPaths.DAEMON, Map.of(), Optional.empty());
    if (active(answer, ApiPaths.DAEMON).isPresent()) {
      throw new RaidNodeException(
          ErrorCode.NOT_FOUND,
          "The RaidNode at %s stands by, and its version does not know GET %s"
              .formatted(base, ApiPaths.DAEMON),
          "Update it.");
    }
    return read(answer, new TypeReference<>() {});
  }

  /** Has the active daemon leave its work to one that stands by. */
  public FailoverReport failover(FailoverRequest request) throws IOException {
    return post(ApiPaths.FAILOVER, request, new TypeReference<>() {});
  }

  /** Lets all repairs go on although much has failed at once. */
  public StormReport storm(StormRequest request) throws IOException {
    return post(ApiPaths.STORM, request, new TypeReference<>() {});
  }

  /** Returns when policies may act. */
  public WindowsReport windows() throws IOException {
    return get(ApiPaths.WINDOWS, Map.of(), new TypeReference<>() {});
  }

  /** Overrides for some time when policies may act. */
  public WindowsReport windows(WindowsRequest request) throws IOException {
    return post(ApiPaths.WINDOWS, request, new TypeReference<>() {});
  }

  public Page<HistoryEntry> history(String below, Paging paging) throws IOException {
    return history(HistoryQuery.below(below), paging);
  }

  /**
   * Lists what was done, newest first. A page can be short, or empty, and still have a next one:
   * the daemon looks at a limited number of lines for each.
   */
  public Page<HistoryEntry> history(HistoryQuery wanted, Paging paging) throws IOException {
    Map<String, String> query = query(wanted.below(), paging);
    wanted.since().ifPresent(since -> query.put(ApiPaths.SINCE, since.toString()));
    wanted.until().ifPresent(until -> query.put(ApiPaths.UNTIL, until.toString()));
    wanted.by().ifPresent(by -> query.put(ApiPaths.BY, by));
    if (!wanted.events().isEmpty()) {
      query.put(ApiPaths.EVENT, String.join(",", wanted.events()));
    }
    return get(ApiPaths.HISTORY, query, new TypeReference<>() {});
  }

  public ChangePreview raid(RaidRequest request) throws IOException {
    return post(ApiPaths.RAID, request);
  }

  public ChangePreview unraid(UnraidRequest request) throws IOException {
    return post(ApiPaths.UNRAID, request);
  }

  public ChangePreview repair(RepairRequest request) throws IOException {
    return post(ApiPaths.REPAIR, request);
  }

  public ChangePreview scrub(ScrubRequest request) throws IOException {
    return post(ApiPaths.SCRUB, request);
  }

  /** Cancels repairs. No unit is left half delivered. */
  public ChangePreview cancel(CancelRepairRequest request) throws IOException {
    return post(ApiPaths.REPAIRS_CANCEL, request);
  }

  /** Lists the parity in quarantine. */
  public Page<QuarantinedParity> quarantine(String below, Paging paging) throws IOException {
    return get(ApiPaths.QUARANTINE, query(below, paging), new TypeReference<>() {});
  }

  public ChangePreview restore(QuarantineRequest request) throws IOException {
    return post(ApiPaths.QUARANTINE_RESTORE, request);
  }

  public ChangePreview purge(QuarantineRequest request) throws IOException {
    return post(ApiPaths.QUARANTINE_PURGE, request);
  }

  public ChangePreview withdraw(WithdrawRequest request) throws IOException {
    return post(ApiPaths.WITHDRAW, request);
  }

  public ChangePreview pause(PauseRequest request) throws IOException {
    return post(ApiPaths.PAUSE, request);
  }

  public FootprintReport footprint() throws IOException {
    return get(ApiPaths.FOOTPRINT, Map.of(), new TypeReference<>() {});
  }

  /**
   * Returns what raiding saves.
   *
   * @param depth number of directory levels below the path that have a row of their own
   * @param complete ask HDFS for the blocks of every file under parity instead of a sample
   */
  public SavingsReport savings(String below, int depth, boolean complete) throws IOException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put(ApiPaths.PATH, below);
    query.put(ApiPaths.DEPTH, Integer.toString(depth));
    query.put(ApiPaths.COMPLETE, Boolean.toString(complete));
    return get(ApiPaths.SAVINGS, query, new TypeReference<>() {});
  }

  /** Returns what raiding saved, day by day. */
  public SavingsTrend savingsDays() throws IOException {
    return get(ApiPaths.SAVINGS_DAYS, Map.of(), new TypeReference<>() {});
  }

  public SettingsReport settings() throws IOException {
    return get(ApiPaths.SETTINGS, Map.of(), new TypeReference<>() {});
  }

  public SettingsReport change(SettingsRequest request) throws IOException {
    return read(send("PUT", ApiPaths.SETTINGS, Map.of(), body(request)), new TypeReference<>() {});
  }

  private static Map<String, String> query(String below, Paging paging) {
    Map<String, String> query = query(paging);
    query.put(ApiPaths.PATH, below);
    return query;
  }

  private static Map<String, String> query(Paging paging) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put(ApiPaths.LIMIT, Integer.toString(paging.limit()));
    paging.cursor().ifPresent(cursor -> query.put(ApiPaths.CURSOR, cursor));
    return query;
  }

  private <T> T get(String path, Map<String, String> query, TypeReference<T> answer)
      throws IOException {
    return read(send("GET", path, query, Optional.empty()), answer);
  }

  /** Returns the preview also of a change that the daemon refuses, with that outcome. */
  private ChangePreview post(String path, Object body) throws IOException {
    HttpSender.Answer answer = send("POST", path, Map.of(), body(body));
    if (answer.status() == ErrorCode.REFUSED.httpStatus()) {
      Optional<ChangePreview> refused = refusedChange(answer);
      if (refused.isPresent()) {
        return refused.get();
      }
    }
    return read(answer, new TypeReference<>() {});
  }

  private Optional<ChangePreview> refusedChange(HttpSender.Answer answer) {
    try {
      return json.readValue(answer.body(), ApiError.class).change();
    } catch (IOException e) {
      return Optional.empty(); // not an answer of a RaidNode, which read() says
    }
  }

  private <T> T post(String path, Object body, TypeReference<T> answer) throws IOException {
    return read(send("POST", path, Map.of(), body(body)), answer);
  }

  private Optional<byte[]> body(Object record) throws IOException {
    return Optional.of(json.writeValueAsBytes(record));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private URI address(String path, Map<String, String> query) {
    StringBuilder address = new StringBuilder(base.toString().replaceAll("/+$", "")).append(path);
    char separator = '?';
    for (Map.Entry<String, String> entry : query.entrySet()) {
      address.append(separator).append(entry.getKey()).append('=');
      address.append(encoded(entry.getValue()));
      separator = '&';
    }
    return URI.create(address.toString());
  }

  private Map<String, String> headers(boolean withBody) throws RaidNodeException {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Accept", "application/json");
    if (withBody) {
      headers.put("Content-Type", "application/json");
    }
    if (!reason.isEmpty()) {
      headers.put(ApiPaths.REASON_HEADER, encoded(reason).replace("+", "%20"));
    }
    if (withBody) {
      key.ifPresent(value -> headers.put(ApiPaths.IDEMPOTENCY_KEY_HEADER, value));
    }
    if (proof.isPresent()) {
      headers.put("Authorization", proof.get().header(base));
    } else {
      headers.put(ApiPaths.USER_HEADER, userOfThisProcess());
    }
    return headers;
  }

  /** Without what no header may contain. */
  private static String userOfThisProcess() {
    return System.getProperty("user.name", "").replaceAll("[^!-~]", "_");
  }

  /** Returns where the active daemon is, if one that stands by has answered. */
  private static Optional<URI> active(HttpSender.Answer answer, String path) {
    return answer.status() == TEMPORARY_REDIRECT
        ? answer
            .location()
            .filter(location -> location.contains(path))
            .map(location -> URI.create(location.substring(0, location.indexOf(path))))
            .filter(uri -> uri.getHost() != null && uri.getScheme() != null)
        : Optional.empty();
  }

  /** Returns this client for the active daemon, to which one that stands by has sent it. */
  private RaidNodeClient of(URI active) throws RaidNodeException {
    if (isThisMachine(active.getHost()) && !isThisMachine(base.getHost())) {
      throw new RaidNodeException(
          ErrorCode.NOT_READY,
          "The RaidNode at %s stands by, and the active one answers on its own machine only, at %s"
              .formatted(base, active),
          "Set server.applicationConnectors of raidnode.yml so that other machines reach both.");
    }
    if (base.getScheme().equals("https") && !active.getScheme().equals("https")) {
      throw new RaidNodeException(
          ErrorCode.NOT_READY,
          "The RaidNode at %s stands by, and the active one does not serve https, at %s"
              .formatted(base, active),
          "Have both serve https (docs/https.md).");
    }
    RaidNodeClient client = new RaidNodeClient(active, proof, timeout, reason, key, http, true);
    if (proof.isPresent()) {
      client.requireEncryption("proof of who you are");
    }
    return client;
  }

  private HttpSender.Answer send(
      String method, String path, Map<String, String> query, Optional<byte[]> body)
      throws IOException {
    HttpSender.Answer answer = sendHere(method, path, query, body);
    Optional<URI> active = active(answer, path);
    return active.isPresent() && !redirected
        ? of(active.get()).send(method, path, query, body)
        : answer;
  }

  /** Sends a request to this daemon, and to no other if this one stands by. */
  private HttpSender.Answer sendHere(
      String method, String path, Map<String, String> query, Optional<byte[]> body)
      throws IOException {
    URI address = address(path, query);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Interrupted before the RaidNode was asked");
    }
    return sendTo(address, method, body);
  }

  private HttpSender.Answer sendTo(URI address, String method, Optional<byte[]> body)
      throws IOException {
    Map<String, String> headers = headers(body.isPresent());
    try {
      return http.send(method, address, headers, body, timeout);
    } catch (HttpSender.BrokenException e) {
      if (e.getCause() instanceof SocketTimeoutException) {
        throw new RaidNodeException(
            ErrorCode.UNREACHABLE,
            "The RaidNode at %s did not answer within %d s".formatted(base, timeout.toSeconds()),
            "The request may still be carried out; see the log and the history of the RaidNode.",
            e);
      }
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          "The connection to the RaidNode at %s broke: %s".formatted(base, e.getMessage()),
          (base.getScheme().equals("http") ? "If it serves https, give --url with https. " : "")
              + "The request may still be carried out; see the log and the history of the RaidNode.",
          e);
    } catch (SSLException e) {
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          e instanceof SSLHandshakeException
              ? "The certificate of the RaidNode at %s is not trusted: %s"
                  .formatted(base, e.getMessage())
              : "%s does not speak TLS: %s".formatted(base, e.getMessage()),
          e instanceof SSLHandshakeException
              ? "Name the certificate of its authority with --cacert."
              : "Check --url: does the RaidNode serve http there, or is that another server?",
          e);
    } catch (IOException e) {
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          "No RaidNode answers at " + base,
          "Is it running (bin/raidnode start)? Another address is given with --url or"
              + " RAIDNODE_URL.",
          e);
    }
  }

  private <T> T read(HttpSender.Answer response, TypeReference<T> answer) throws RaidNodeException {
    if (response.status() / 100 != 2) {
      throw refusal(response);
    }
    try {
      T value = json.readValue(response.body(), answer);
      if (value == null) {
        throw notARaidNode(response, null);
      }
      return value;
    } catch (RaidNodeException e) {
      throw e;
    } catch (IOException e) {
      throw notARaidNode(response, e);
    }
  }

  private RaidNodeException refusal(HttpSender.Answer response) {
    try {
      JsonNode tree = json.readTree(response.body());
      // The admin port also has a "code", but says what is wrong in a "message".
      if (tree.hasNonNull("code") && tree.hasNonNull("detail")) {
        return new RaidNodeException(json.treeToValue(tree, ApiError.class));
      }
    } catch (IOException e) {
      return notARaidNode(response, e);
    }
    return notARaidNode(response, null);
  }

  private RaidNodeException notARaidNode(HttpSender.Answer response, IOException cause) {
    if (isAdminPort()) {
      return new RaidNodeException(
          ErrorCode.NOT_A_RAIDNODE,
          "%s answers, but it is the admin port of a RaidNode: metrics and health checks"
              .formatted(base),
          "Check --url; the REST API has another port, 8090 by default.",
          cause);
    }
    if (response.status() < 0) {
      return new RaidNodeException(
          ErrorCode.NOT_A_RAIDNODE,
          "%s answers, but not in HTTP: it is no RaidNode".formatted(base),
          "Check --url; the default port of the RaidNode is 8090, and it may serve https.",
          cause);
    }
    return new RaidNodeException(
        ErrorCode.NOT_A_RAIDNODE,
        "The server at %s answers with HTTP %d, but not as a RaidNode of this version does"
            .formatted(response.uri(), response.status()),
        "Check --url; the default port of the RaidNode is 8090.",
        cause);
  }

  /** Whether Dropwizard's admin servlet answers, which serves nothing of the API. */
  private boolean isAdminPort() {
    try {
      HttpSender.Answer ping =
          http.send("GET", base.resolve("/ping"), Map.of(), Optional.empty(), PING_TIMEOUT);
      return ping.status() == 200 && ping.body().strip().equals("pong");
    } catch (IOException e) {
      return false;
    }
  }
}
