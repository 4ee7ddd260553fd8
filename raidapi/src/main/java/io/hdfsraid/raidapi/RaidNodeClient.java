package io.hdfsraid.raidapi;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Speaks to a RaidNode. Every failure is a {@link RaidNodeException} with a code and a hint, or an
 * {@link InterruptedIOException}. Safe to use from any thread.
 */
public final class RaidNodeClient {
  /** What the daemon may take to answer: an fsck of a large tree asks every stripe's blocks. */
  public static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final URI base;
  private final Optional<String> token;
  private final Duration timeout;
  private final HttpClient http;
  private final ObjectMapper json = ApiJson.mapper();

  private RaidNodeClient(URI base, Optional<String> token, Duration timeout, HttpClient http) {
    if (base.getHost() == null
        || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
      throw new IllegalArgumentException(
          "The address of a RaidNode looks like http://host:8090, but got '" + base + "'");
    }
    this.base = base;
    this.token = token;
    this.timeout = timeout;
    this.http = http;
  }

  /** A client without a token, for a daemon that listens on this machine only. */
  public static RaidNodeClient at(URI base) {
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    return new RaidNodeClient(base, Optional.empty(), ANSWER_TIMEOUT, http);
  }

  /** This client, sending the token that is the content of the file. */
  public RaidNodeClient withTokenFile(Path file) throws RaidNodeException {
    try {
      String content = Files.readString(file).strip();
      if (content.isEmpty() || content.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new RaidNodeException(
            ErrorCode.NO_TOKEN,
            "The token file " + file + " does not hold exactly one token",
            "It should be the file that the daemon was given, with one line.");
      }
      return new RaidNodeClient(base, Optional.of(content), timeout, http);
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

  /** This client, waiting at most so long for an answer. */
  public RaidNodeClient withTimeout(Duration timeout) {
    return new RaidNodeClient(base, token, timeout, http);
  }

  public Status status() throws IOException {
    return get(ApiPaths.STATUS, Map.of(), new TypeReference<>() {});
  }

  public PoliciesView policies() throws IOException {
    return get(ApiPaths.POLICIES, Map.of(), new TypeReference<>() {});
  }

  /** What is to be said of policies that are not in force; nothing is changed. */
  public PoliciesCheck validate(PoliciesDraft policies) throws IOException {
    return post(ApiPaths.POLICIES_VALIDATE, policies, new TypeReference<>() {});
  }

  /**
   * What the policies will do, by the last count of all files.
   *
   * @param policy empty for all
   */
  public RaidingOutlook outlook(Optional<String> policy) throws IOException {
    Map<String, String> query =
        policy.map(name -> Map.of(ApiPaths.POLICY, name)).orElseGet(Map::of);
    return get(ApiPaths.PLAN, query, new TypeReference<>() {});
  }

  /** How old, how large and how often replicated the files below a path are. */
  public FileHistogram histogram(String below) throws IOException {
    return get(ApiPaths.HISTOGRAM, Map.of(ApiPaths.PATH, below), new TypeReference<>() {});
  }

  /**
   * Files in the daemon's catalog.
   *
   * @param below a file or directory; {@code /} for all
   * @param state empty for any
   */
  public Page<FileView> files(String below, Optional<FileState> state, Paging paging)
      throws IOException {
    Map<String, String> query = query(below, paging);
    state.ifPresent(wanted -> query.put(ApiPaths.STATE, wanted.name()));
    return get(ApiPaths.FILES, query, new TypeReference<>() {});
  }

  public FileDetail file(long inode) throws IOException {
    String path = ApiPaths.FILE.replace("{inode}", Long.toString(inode));
    return get(path, Map.of(), new TypeReference<>() {});
  }

  public Explanation explain(String path) throws IOException {
    return get(ApiPaths.EXPLAIN, Map.of(ApiPaths.PATH, path), new TypeReference<>() {});
  }

  public FsckReport fsck(String below, Paging paging) throws IOException {
    return get(ApiPaths.FSCK, query(below, paging), new TypeReference<>() {});
  }

  public PlacementReport placement(String below, Paging paging) throws IOException {
    return get(ApiPaths.PLACEMENT, query(below, paging), new TypeReference<>() {});
  }

  public SkewReport skew() throws IOException {
    return get(ApiPaths.SKEW, Map.of(), new TypeReference<>() {});
  }

  public Page<RepairView> repairs(Paging paging) throws IOException {
    return get(ApiPaths.REPAIRS, query(paging), new TypeReference<>() {});
  }

  /** Whether most repairs pause because much has failed at once. */
  public StormAnswer storm() throws IOException {
    return get(ApiPaths.STORM, Map.of(), new TypeReference<>() {});
  }

  /** Has all repairs go on all the same. */
  public StormAnswer storm(StormRequest request) throws IOException {
    return post(ApiPaths.STORM, request, new TypeReference<>() {});
  }

  /** When policies may act. */
  public HoursView hours() throws IOException {
    return get(ApiPaths.HOURS, Map.of(), new TypeReference<>() {});
  }

  /** Has them act otherwise for some time. */
  public HoursView hours(HoursRequest request) throws IOException {
    return post(ApiPaths.HOURS, request, new TypeReference<>() {});
  }

  public Page<HistoryEntry> history(String below, Paging paging) throws IOException {
    return get(ApiPaths.HISTORY, query(below, paging), new TypeReference<>() {});
  }

  public PlanView raid(RaidRequest request) throws IOException {
    return post(ApiPaths.RAID, request);
  }

  public PlanView unraid(UnraidRequest request) throws IOException {
    return post(ApiPaths.UNRAID, request);
  }

  public PlanView repair(RepairRequest request) throws IOException {
    return post(ApiPaths.REPAIR, request);
  }

  public PlanView scrub(ScrubRequest request) throws IOException {
    return post(ApiPaths.SCRUB, request);
  }

  /** Stops what was to be repaired; nothing is left half delivered. */
  public PlanView cancel(CancelRequest request) throws IOException {
    return post(ApiPaths.REPAIRS_CANCEL, request);
  }

  /** Retired parity that is kept for a while. */
  public Page<QuarantineView> quarantine(String below, Paging paging) throws IOException {
    return get(ApiPaths.QUARANTINE, query(below, paging), new TypeReference<>() {});
  }

  public PlanView restore(QuarantineRequest request) throws IOException {
    return post(ApiPaths.QUARANTINE_RESTORE, request);
  }

  public PlanView purge(QuarantineRequest request) throws IOException {
    return post(ApiPaths.QUARANTINE_PURGE, request);
  }

  public PlanView withdraw(WithdrawRequest request) throws IOException {
    return post(ApiPaths.WITHDRAW, request);
  }

  public PlanView pause(PauseRequest request) throws IOException {
    return post(ApiPaths.PAUSE, request);
  }

  public TracesReport traces() throws IOException {
    return get(ApiPaths.TRACES, Map.of(), new TypeReference<>() {});
  }

  /**
   * What raiding saves.
   *
   * @param depth how many levels of directories below the path have a row of their own
   * @param complete ask HDFS for the blocks of every file under parity, and not of a sample
   */
  public SavingsReport savings(String below, int depth, boolean complete) throws IOException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put(ApiPaths.PATH, below);
    query.put(ApiPaths.DEPTH, Integer.toString(depth));
    query.put(ApiPaths.COMPLETE, Boolean.toString(complete));
    return get(ApiPaths.SAVINGS, query, new TypeReference<>() {});
  }

  public SettingsView settings() throws IOException {
    return get(ApiPaths.SETTINGS, Map.of(), new TypeReference<>() {});
  }

  public SettingsView change(SettingsRequest request) throws IOException {
    return read(
        send(
            request(ApiPaths.SETTINGS, Map.of())
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(json.writeValueAsBytes(request)))
                .build()),
        new TypeReference<>() {});
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
    return read(send(request(path, query).GET().build()), answer);
  }

  private PlanView post(String path, Object body) throws IOException {
    return post(path, body, new TypeReference<>() {});
  }

  private <T> T post(String path, Object body, TypeReference<T> answer) throws IOException {
    HttpRequest request =
        request(path, Map.of())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(json.writeValueAsBytes(body)))
            .build();
    return read(send(request), answer);
  }

  private HttpRequest.Builder request(String path, Map<String, String> query) {
    StringBuilder address = new StringBuilder(base.toString().replaceAll("/+$", "")).append(path);
    char separator = '?';
    for (Map.Entry<String, String> entry : query.entrySet()) {
      address.append(separator).append(entry.getKey()).append('=');
      address.append(URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8));
      separator = '&';
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address.toString()))
            .timeout(timeout)
            .header("Accept", "application/json");
    token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
    return request;
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          "No RaidNode answers at " + base,
          "Is it running (bin/raidnode start)? Another address is given with --url or RAIDNODE_URL.",
          e);
    } catch (HttpTimeoutException e) {
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          "The RaidNode at %s did not answer within %d s".formatted(base, timeout.toSeconds()),
          "What was asked for may still be carried out; see its log and history.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while waiting for the RaidNode").initCause(e);
    } catch (IOException e) {
      throw new RaidNodeException(
          ErrorCode.UNREACHABLE,
          "The connection to the RaidNode at %s broke: %s".formatted(base, e.getMessage()),
          "What was asked for may still be carried out; see its log and history.",
          e);
    }
  }

  private <T> T read(HttpResponse<byte[]> response, TypeReference<T> answer)
      throws RaidNodeException {
    if (response.statusCode() / 100 != 2) {
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

  private RaidNodeException refusal(HttpResponse<byte[]> response) {
    try {
      ApiError error = json.readValue(response.body(), ApiError.class);
      if (error != null && !error.message().isEmpty()) {
        return new RaidNodeException(error);
      }
    } catch (IOException e) {
      return notARaidNode(response, e);
    }
    return notARaidNode(response, null);
  }

  private RaidNodeException notARaidNode(HttpResponse<byte[]> response, IOException cause) {
    return new RaidNodeException(
        ErrorCode.NOT_A_RAIDNODE,
        "Whatever answers at %s with HTTP %d does not speak as a RaidNode of this version does"
            .formatted(response.uri(), response.statusCode()),
        "Check --url; the default port of the RaidNode is 8090, its admin port is another.",
        cause);
  }
}
