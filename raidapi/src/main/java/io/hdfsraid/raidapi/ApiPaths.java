package io.hdfsraid.raidapi;

/** Where the resources are. Resources and client both use these. */
public final class ApiPaths {
  public static final String ROOT = "/api/v1";

  /** GET: {@link Status}. */
  public static final String STATUS = ROOT + "/status";

  /**
   * GET: {@link Page} of {@link FileView}; query {@link #STATE}, {@link #PATH} (a prefix of whole
   * names), {@link #LIMIT}, {@link #CURSOR}.
   */
  public static final String FILES = ROOT + "/files";

  /** GET, below {@link #FILES}: {@link FileDetail}. */
  public static final String FILE = FILES + "/{inode}";

  /** GET: {@link PoliciesView}. */
  public static final String POLICIES = ROOT + "/policies";

  /** POST {@link PoliciesDraft}, or its text as YAML: {@link PoliciesCheck}. */
  public static final String POLICIES_VALIDATE = POLICIES + "/validate";

  /** GET: {@link RaidingOutlook}; query {@link #POLICY}. */
  public static final String PLAN = ROOT + "/plan";

  /** GET: {@link FileHistogram}; query {@link #PATH}. */
  public static final String HISTOGRAM = ROOT + "/histogram";

  /** GET: {@link Explanation}; query {@link #PATH}. */
  public static final String EXPLAIN = ROOT + "/explain";

  /** GET: {@link FsckReport}; query {@link #PATH}, {@link #LIMIT}, {@link #CURSOR}. */
  public static final String FSCK = ROOT + "/fsck";

  /** GET: {@link PlacementReport}; query {@link #PATH}, {@link #LIMIT}, {@link #CURSOR}. */
  public static final String PLACEMENT = ROOT + "/placement";

  /** GET: {@link SkewReport}. */
  public static final String SKEW = PLACEMENT + "/skew";

  /**
   * GET: {@link Page} of {@link RepairView}, most urgent first; query {@link #LIMIT}, {@link
   * #CURSOR}.
   */
  public static final String REPAIRS = ROOT + "/repairs";

  /** POST {@link CancelRequest}: {@link PlanView}. */
  public static final String REPAIRS_CANCEL = REPAIRS + "/cancel";

  /** GET: {@link HoursView}; POST {@link HoursRequest}: {@link HoursView}. */
  public static final String HOURS = ROOT + "/hours";

  /** GET: {@link StormAnswer}; POST {@link StormRequest}: {@link StormAnswer}. */
  public static final String STORM = ROOT + "/storm";

  /**
   * GET: {@link Page} of {@link HistoryEntry}, newest first; query {@link #PATH}, {@link #LIMIT},
   * {@link #CURSOR}.
   */
  public static final String HISTORY = ROOT + "/history";

  /** POST {@link RaidRequest}: {@link PlanView}. */
  public static final String RAID = ROOT + "/raid";

  /** POST {@link UnraidRequest}: {@link PlanView}. */
  public static final String UNRAID = ROOT + "/unraid";

  /** POST {@link RepairRequest}: {@link PlanView}. */
  public static final String REPAIR = ROOT + "/repair";

  /** POST {@link ScrubRequest}: {@link PlanView}. */
  public static final String SCRUB = ROOT + "/scrub";

  /**
   * GET: {@link Page} of {@link QuarantineView}; query {@link #PATH}, {@link #LIMIT}, {@link
   * #CURSOR}.
   */
  public static final String QUARANTINE = ROOT + "/quarantine";

  /** POST {@link QuarantineRequest}: {@link PlanView}. */
  public static final String QUARANTINE_RESTORE = QUARANTINE + "/restore";

  /** POST {@link QuarantineRequest}: {@link PlanView}. */
  public static final String QUARANTINE_PURGE = QUARANTINE + "/purge";

  /** POST {@link WithdrawRequest}: {@link PlanView}. */
  public static final String WITHDRAW = ROOT + "/withdraw";

  /** POST {@link PauseRequest}: {@link PlanView}. */
  public static final String PAUSE = ROOT + "/pause";

  /** GET: {@link TracesReport}. */
  public static final String TRACES = ROOT + "/traces";

  /** GET: {@link SavingsReport}; query {@link #PATH}, {@link #DEPTH}, {@link #COMPLETE}. */
  public static final String SAVINGS = ROOT + "/savings";

  /** GET: {@link SettingsView}; PUT {@link SettingsRequest}: {@link SettingsView}. */
  public static final String SETTINGS = ROOT + "/settings";

  public static final String PATH = "path";
  public static final String POLICY = "policy";
  public static final String STATE = "state";
  public static final String LIMIT = "limit";
  public static final String CURSOR = "cursor";
  public static final String DEPTH = "depth";
  public static final String COMPLETE = "complete";

  private ApiPaths() {}
}
