// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import io.hdfsraid.raidapi.access.Me;
import io.hdfsraid.raidapi.codecs.CodecsReport;
import io.hdfsraid.raidapi.files.FileDetail;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.history.HistoryEntry;
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
import io.hdfsraid.raidapi.version.VersionReport;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;

/**
 * The paths and query parameters of the REST API. The daemon's resources and the client use them.
 */
public final class ApiPaths {
  public static final String ROOT = "/api/v1";

  /**
   * The prefix, before the name, of the paths of one nameservice of a daemon that guards several.
   */
  public static final String NAMESERVICES = "/ns/";

  /**
   * Header with the name of the user who sends a request without a token. Nothing proves it; the
   * history says so.
   */
  public static final String USER_HEADER = "X-Raid-User";

  /**
   * Header with the id of a request, in the answer and, if the sender has one, in the request: up
   * to 64 letters, digits and {@code . _ -}. The audit, the history and the log name it.
   */
  public static final String REQUEST_ID_HEADER = "X-Request-Id";

  /**
   * Header with the reason of a change, for the audit and the history: UTF-8, percent-encoded, of
   * at most {@value ChangeRequest#LONGEST_REASON} characters.
   */
  public static final String REASON_HEADER = "X-Reason";

  /**
   * Header with a key of a request that starts a task, 1 to 200 visible characters. Whoever sends
   * the same request with the same key again gets the same answer, and nothing is started twice.
   */
  public static final String IDEMPOTENCY_KEY_HEADER = "Idempotency-Key";

  /** Header of an answer that was given before to a request with the same key. */
  public static final String REPLAYED_HEADER = "Idempotent-Replayed";

  /** GET: this API, described as OpenAPI 3.1. */
  public static final String OPENAPI = ROOT + "/openapi.json";

  /** GET: {@link Me}. */
  public static final String ME = ROOT + "/me";

  /** GET: {@link VersionReport}. */
  public static final String VERSION = ROOT + "/version";

  /** GET: {@link CodecsReport}. */
  public static final String CODECS = ROOT + "/codecs";

  /** GET: {@link NodesReport}. */
  public static final String NODES = ROOT + "/nodes";

  /** GET: {@link Status}. */
  public static final String STATUS = ROOT + "/status";

  /**
   * GET: {@link Page} of {@link FileSummary}; query {@link #STATE}, {@link #PATH} (a prefix of
   * whole names), {@link #LIMIT}, {@link #CURSOR}.
   */
  public static final String FILES = ROOT + "/files";

  /** GET, below {@link #FILES}: {@link FileDetail}. */
  public static final String FILE = FILES + "/{inode}";

  /** GET: {@link PoliciesReport}. */
  public static final String POLICIES = ROOT + "/policies";

  /** POST {@link ValidatePoliciesRequest}, or its text as YAML: {@link PoliciesValidation}. */
  public static final String POLICIES_VALIDATE = POLICIES + "/validate";

  /** GET: {@link RaidingPlan}; query {@link #POLICY}. */
  public static final String PLAN = ROOT + "/plan";

  /** GET: {@link FileHistogram}; query {@link #PATH}. */
  public static final String HISTOGRAM = ROOT + "/histogram";

  /** GET: {@link FileExplanation}; query {@link #PATH}. */
  public static final String EXPLAIN = ROOT + "/explain";

  /** GET: {@link FsckReport}; query {@link #PATH}, {@link #LIMIT}, {@link #CURSOR}. */
  public static final String FSCK = ROOT + "/fsck";

  /**
   * GET: {@link Page} of {@link TaskReport}, newest first; query {@link #STATE}, {@link #LIMIT},
   * {@link #CURSOR}.
   */
  public static final String TASKS = ROOT + "/tasks";

  /** GET, below {@link #TASKS}: {@link TaskReport}. */
  public static final String TASK = TASKS + "/{id}";

  /** POST {@link CancelTaskRequest}: {@link ChangePreview}. */
  public static final String TASK_CANCEL = TASK + "/cancel";

  /** GET: {@link PlacementReport}; query {@link #PATH}, {@link #LIMIT}, {@link #CURSOR}. */
  public static final String PLACEMENT = ROOT + "/placement";

  /** GET: {@link SkewReport}. */
  public static final String SKEW = PLACEMENT + "/skew";

  /**
   * GET: {@link Page} of {@link QueuedRepair}, most urgent first; query {@link #LIMIT}, {@link
   * #CURSOR}.
   */
  public static final String REPAIRS = ROOT + "/repairs";

  /** POST {@link CancelRepairRequest}: {@link ChangePreview}. */
  public static final String REPAIRS_CANCEL = REPAIRS + "/cancel";

  /** GET: {@link WindowsReport}; POST {@link WindowsRequest}: {@link WindowsReport}. */
  public static final String WINDOWS = ROOT + "/windows";

  /** GET: {@link DaemonReport}, of the daemon that is asked. One that stands by answers, too. */
  public static final String DAEMON = ROOT + "/daemon";

  /** POST {@link FailoverRequest}: {@link FailoverReport}. */
  public static final String FAILOVER = ROOT + "/failover";

  /** GET: {@link StormReport}; POST {@link StormRequest}: {@link StormReport}. */
  public static final String STORM = ROOT + "/storm";

  /**
   * GET: {@link Page} of {@link HistoryEntry}, newest first; query {@link #PATH}, {@link #SINCE},
   * {@link #UNTIL}, {@link #BY}, {@link #EVENT} (several with commas), {@link #LIMIT}, {@link
   * #CURSOR}.
   */
  public static final String HISTORY = ROOT + "/history";

  /** POST {@link RaidRequest}: {@link ChangePreview}. */
  public static final String RAID = ROOT + "/raid";

  /** POST {@link UnraidRequest}: {@link ChangePreview}. */
  public static final String UNRAID = ROOT + "/unraid";

  /** POST {@link RepairRequest}: {@link ChangePreview}. */
  public static final String REPAIR = ROOT + "/repair";

  /** POST {@link ScrubRequest}: {@link ChangePreview}. */
  public static final String SCRUB = ROOT + "/scrub";

  /**
   * GET: {@link Page} of {@link QuarantinedParity}; query {@link #PATH}, {@link #LIMIT}, {@link
   * #CURSOR}.
   */
  public static final String QUARANTINE = ROOT + "/quarantine";

  /** POST {@link QuarantineRequest}: {@link ChangePreview}. */
  public static final String QUARANTINE_RESTORE = QUARANTINE + "/restore";

  /** POST {@link QuarantineRequest}: {@link ChangePreview}. */
  public static final String QUARANTINE_PURGE = QUARANTINE + "/purge";

  /** POST {@link WithdrawRequest}: {@link ChangePreview}. */
  public static final String WITHDRAW = ROOT + "/withdraw";

  /** POST {@link PauseRequest}: {@link ChangePreview}. */
  public static final String PAUSE = ROOT + "/pause";

  /** GET: {@link FootprintReport}. */
  public static final String FOOTPRINT = ROOT + "/footprint";

  /** GET: {@link SavingsReport}; query {@link #PATH}, {@link #DEPTH}, {@link #COMPLETE}. */
  public static final String SAVINGS = ROOT + "/savings";

  /** GET: {@link SavingsTrend}. */
  public static final String SAVINGS_DAYS = SAVINGS + "/days";

  /** GET: {@link SettingsReport}; PUT {@link SettingsRequest}: {@link SettingsReport}. */
  public static final String SETTINGS = ROOT + "/settings";

  /** Absolute path of a file, or of a directory with everything below it. */
  public static final String PATH = "path";

  /** Name of one policy; absent for all policies. */
  public static final String POLICY = "policy";

  /** Only files in this state, in any case; absent for any state. */
  public static final String STATE = "state";

  /** Most items of a page. */
  public static final String LIMIT = "limit";

  /** The field {@code next} of the page before; absent for the first page. */
  public static final String CURSOR = "cursor";

  /** Number of directory levels below the path that have a row of their own. */
  public static final String DEPTH = "depth";

  /** Ask HDFS for the blocks of every file under parity instead of a sample. */
  public static final String COMPLETE = "complete";

  /** Only what happened at this time or later, in RFC 3339; absent for all. */
  public static final String SINCE = "since";

  /** Only what happened before this time, in RFC 3339; absent for all. */
  public static final String UNTIL = "until";

  /** Only what this user, policy or job did; absent for all. */
  public static final String BY = "by";

  /** Only these events, separated by commas; absent for all. */
  public static final String EVENT = "event";

  private ApiPaths() {}
}
