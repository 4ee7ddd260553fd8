// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The web page, as a headless Chromium renders it. The browser is found on the path, or named by
 * the property {@code browser}.
 */
class WebPageTest {
  private static final String HOSTILE =
      "/a/<img src=x onerror=document.title='owned'>\u202egpj.exe";

  @TempDir static Path folder;

  private static Optional<String> browser;
  private static RunningRaidNode ofAdmins;
  private static RunningRaidNode ofViewers;
  private static RunningRaidNode ofNobody;

  @BeforeAll
  static void start() throws Exception {
    browser = browser();
    assumeTrue(browser.isPresent(), "No Chromium is on the path, so nobody looks at the page");
    ofAdmins = start("admin");
    ofViewers = start("viewer");
    ofNobody = start("none");
  }

  private static RunningRaidNode start(String withoutToken) throws Exception {
    Path own = Files.createDirectory(folder.resolve(withoutToken));
    StubWiring wiring = new StubWiring();
    wiring.services.file = StubServices.file(HOSTILE);
    return RaidNode.start(
        StubWiring.settings(own, withoutToken, "portable"), wiring, Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    Stream.of(ofAdmins, ofViewers, ofNobody)
        .filter(node -> node != null)
        .forEach(RunningRaidNode::close);
  }

  private static Optional<String> browser() {
    String named = System.getProperty("browser");
    if (named != null) {
      return Optional.of(named);
    }
    List<String> path = List.of(System.getenv("PATH").split(File.pathSeparator, -1));
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(name -> path.stream().map(directory -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** Returns what the browser makes of a page, without the marks of the view library. */
  private static String shown(RunningRaidNode node, String page) throws Exception {
    Path profile = Files.createTempDirectory(folder, "profile");
    Path out = Files.createTempFile(folder, "dom", ".html");
    Process process =
        new ProcessBuilder(
                browser.orElseThrow(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + profile,
                "--virtual-time-budget=4000",
                "--dump-dom",
                node.address().resolve("/#/" + page).toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the browser ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(out, StandardCharsets.UTF_8).replaceAll("<!--.*?-->", "");
  }

  private static void assertShows(String dom, String... texts) {
    assertThat(dom)
        .contains(texts)
        .doesNotContain("does not answer", "Asking the RaidNode", "There is no such page");
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
    "tasks, Tasks, ",
    "history, History, raided",
    "settings, Settings, repair.workers",
    "about, About, rs-"
  })
  void everyPageIsShown(String page, String heading, String text) throws Exception {
    String dom = shown(ofAdmins, page);
    assertShows(dom, "<h1 tabindex=\"-1\">" + heading + "</h1>", text == null ? "" : text);
    assertThat(dom).contains("<title>" + heading + " – HDFS-RAID</title>");
  }

  @Test
  void aHostileNameIsTextAndNothingElse() throws Exception {
    assertThat(shown(ofAdmins, "files"))
        .contains("&lt;img src=x onerror=")
        .doesNotContain("<img src=\"x\"", "<title>owned");
  }

  @Test
  void viewersSeeNoButtonsOfOperators() throws Exception {
    String ofAdmin = shown(ofAdmins, "overview");
    assertShows(ofAdmin, "<h1 tabindex=\"-1\">Overview</h1>", "Is anything at risk?");
    assertThat(ofAdmin).contains("Pause policies");
    String dom = shown(ofViewers, "overview");
    assertShows(dom, "somebody (unproven), viewer");
    assertThat(dom).doesNotContain("Pause policies");
  }

  @Test
  void whoIsNotKnownIsAskedForAToken() throws Exception {
    assertThat(shown(ofNobody, "overview"))
        .contains("Who are you?", "bin/raidnode token create")
        .doesNotContain("Is anything at risk?");
  }

  @Tag("full")
  @Test
  void aPageThatIsNotThereLeadsBack() throws Exception {
    assertThat(shown(ofAdmins, "nothing")).contains("There is no such page", "To the overview");
  }
}
