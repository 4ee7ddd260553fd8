// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidnode.web.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The web page of a daemon without HDFS, as Chromium shows it. */
class WebPageTest {
  private static final String HOSTILE =
      "/a/<img src=x onerror=document.title='owned'>\u202egpj.exe";

  /** Four times of what the W3C calls a long task. */
  private static final Duration LONG_TASK = Duration.ofMillis(200);

  private static final int TRIES = 5;

  @TempDir static Path folder;

  private static Browser browser;
  private static StubWiring wiring;
  private static RunningRaidNode ofAdmins;
  private static RunningRaidNode ofViewers;
  private static RunningRaidNode ofNobody;

  @BeforeAll
  static void start() throws Exception {
    Optional<Browser> found = Browser.start(folder.resolve("profile"));
    assumeTrue(
        found.isPresent(),
        "No chromium and chromedriver are on the path, so nobody looks at the page");
    browser = found.get();
    wiring = new StubWiring();
    wiring.services.file = StubServices.file(HOSTILE);
    ofAdmins = start("admin", wiring);
    ofViewers = start("viewer", new StubWiring());
    ofNobody = start("none", new StubWiring());
  }

  private static RunningRaidNode start(String withoutToken, StubWiring wiring) throws Exception {
    Path own = Files.createTempDirectory(folder, withoutToken);
    return RaidNode.start(
        StubWiring.settings(own, withoutToken, "portable"), wiring, Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    Stream.of(browser, ofAdmins, ofViewers, ofNobody)
        .filter(each -> each != null)
        .forEach(WebPageTest::close);
  }

  private static void close(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void asBefore() {
    browser.size(Browser.WIDE);
    browser.dark(false);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "'', Overview, Is anything at risk?",
    "overview, Overview, What do we save?",
    "files, Files, Below the path",
    "file?inode=7, A file, What was done with it",
    "savings, Savings, What keeps the rest",
    "repairs, Repairs, The queue is empty",
    "policies, Policies, How cold is the data?",
    "nodes, Nodes, DataNodes",
    "tasks, Tasks, running",
    "history, History, raided",
    "settings, Settings, repair.workers",
    "about, About, rs-"
  })
  void everyPageIsShownWithoutBarriersAndFitsAPhone(String page, String heading, String text) {
    browser.open(ofAdmins.address(), page);
    String shown = browser.await(heading, text);

    assertThat(shown).doesNotContain("does not answer", "There is no such page", "undefined");
    assertThat(browser.title()).isEqualTo(heading + " – HDFS-RAID");
    assertThat(browser.barriers()).as("light").isEmpty();
    browser.dark(true);
    assertThat(browser.barriers()).as("dark").isEmpty();
    browser.size(Browser.NARROW);
    assertThat(browser.run("return document.documentElement.scrollWidth"))
        .as("nothing is cut on a phone")
        .isEqualTo((long) Browser.NARROW.getWidth());
    assertThat(browser.barriers()).as("narrow").isEmpty();
  }

  @Test
  void aHostileNameIsTextAndNothingElse() {
    browser.open(ofAdmins.address(), "files");

    browser.await("<img src=x onerror=document.title='owned'>");
    assertThat(browser.count("img[src=x]")).isZero();
    assertThat(browser.title()).isEqualTo("Files – HDFS-RAID");
  }

  @Test
  void viewersSeeNoButtonsOfOperators() {
    browser.open(ofAdmins.address(), "overview");
    browser.await("Is anything at risk?", "Pause policies");

    browser.open(ofViewers.address(), "overview");
    assertThat(browser.await("Is anything at risk?", "somebody (unproven), viewer"))
        .doesNotContain("Pause policies");
  }

  @Test
  void whoIsNotKnownIsAskedForAToken() {
    browser.open(ofNobody.address(), "overview");

    assertThat(browser.await("Who are you?", "bin/raidnode token create"))
        .doesNotContain("Is anything at risk?");
    browser.fill("token", "raid-nonsense");
    browser.click("Sign in");
    browser.await("Who are you?");
  }

  @Test
  void anActionShowsItsPlanAsksForAReasonAndIsCarriedOut() {
    browser.open(ofAdmins.address(), "overview");
    browser.click("Pause policies");
    browser.await("Let policies raid nothing", "Reason, for the audit");
    assertThat(wiring.services.asked)
        .as("the plan")
        .anyMatch(asked -> asked.contains("PauseRequest") && asked.contains("dryRun=true"))
        .noneMatch(asked -> asked.contains("PauseRequest") && asked.contains("dryRun=false"));

    browser.fill("reason", "a test of the page");
    browser.click("Carry it out");
    browser.await("Close");
    assertThat(wiring.services.asked)
        .anyMatch(asked -> asked.contains("PauseRequest") && asked.contains("dryRun=false"));
    browser.click("Close");
    browser.awaitNo("Let policies raid nothing");
  }

  @Test
  void anAdminChangesALimit() {
    browser.open(ofAdmins.address(), "settings");
    browser.await("repair.workers");
    browser.fill("repair.workers", "9");
    browser.click("Change");
    browser.await("Change repair.workers", "until the daemon starts again");
    browser.click("Carry it out");
    browser.await("Done.");

    assertThat(wiring.services.asked)
        .anyMatch(asked -> asked.contains("{repair.workers=9}") && asked.contains("dryRun=false"));
    browser.open(ofViewers.address(), "settings");
    assertThat(browser.await("repair.workers", "An admin changes them")).doesNotContain("Change");
  }

  @Test
  void anActionThatIsCancelledIsNotCarriedOut() {
    wiring.services.asked.clear();
    browser.open(ofAdmins.address(), "overview");
    browser.click("Pause policies");
    browser.await("Reason, for the audit");
    browser.click("Cancel");

    browser.awaitNo("Reason, for the audit");
    assertThat(wiring.services.asked)
        .noneMatch(asked -> asked.contains("PauseRequest") && asked.contains("dryRun=false"));
  }

  @Test
  void thePageListensWhetherSomethingChangesAndLooksThen() {
    browser.open(ofAdmins.address(), "repairs");
    browser.await("The queue is empty");
    browser.until(() -> browser.count("html[data-live]") == 1);
    wiring.services.asked.clear();

    ofAdmins.daemon().catalog().notes().text("test", "something has changed");
    browser.until(
        () -> wiring.services.asked.stream().anyMatch(asked -> asked.startsWith("repairs")));
  }

  @Test
  void aDaemonThatIsGoneShows() throws Exception {
    RunningRaidNode gone = start("admin", new StubWiring());
    browser.open(gone.address(), "overview");
    browser.await("Is anything at risk?");

    gone.close();
    browser.await("The RaidNode does not answer", "What follows is");
  }

  /** Other work on the machine makes tasks longer, never shorter: the best of five tries counts. */
  @Tag("full")
  @ParameterizedTest
  @CsvSource({"files, /many/file-99, /many/file-100", "repairs, /many/file-199, /many/file-200"})
  void longListsHoldNobodyUp(String page, String last, String beyond) throws Exception {
    StubWiring many = new StubWiring();
    many.services.manyFiles =
        IntStream.range(0, 10_000).mapToObj(i -> StubServices.file("/many/file-" + i)).toList();
    many.services.repairs =
        IntStream.range(0, 1_000).mapToObj(i -> repair("/many/file-" + i)).toList();
    try (RunningRaidNode ofMany = start("admin", many)) {
      Duration longest = ChronoUnit.FOREVER.getDuration();
      for (int i = 0; i < TRIES; i++) {
        browser.open(ofMany.address(), page);
        assertThat(browser.await(last)).doesNotContain(beyond);
        longest = Collections.min(List.of(longest, browser.longestTask()));
      }
      assertThat(longest).isLessThan(LONG_TASK);
    }
  }

  @Tag("full")
  @Test
  void aLongTaskIsNoticed() {
    browser.open(ofAdmins.address(), "about");
    browser.await("Erasure codes");
    browser.run(
        "setTimeout(() => { const began = performance.now(); while (performance.now() < began + 300); })");

    assertThat(browser.longestTask()).isGreaterThan(LONG_TASK);
  }

  private static QueuedRepair repair(String path) {
    return new QueuedRepair(
        7,
        path,
        1,
        "rs-6-3",
        List.of(3),
        2,
        QueuedRepair.State.WAITING,
        "report",
        StubServices.NOW,
        0,
        "",
        Optional.empty(),
        0);
  }

  @Tag("full")
  @Test
  void aPageThatIsNotThereLeadsBack() {
    browser.open(ofAdmins.address(), "nothing");
    browser.await("There is no such page");
    browser.click("To the overview");
    browser.await("Is anything at risk?");
  }
}
