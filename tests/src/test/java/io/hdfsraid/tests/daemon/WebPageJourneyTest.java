// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidnode.web.Browser;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator does on the web page, from a click to HDFS and back. */
@Tag("full")
class WebPageJourneyTest {
  private static final int BLOCK = 1 << 20;
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final List<String> PAGES =
      List.of(
          "overview",
          "files",
          "savings",
          "repairs",
          "policies",
          "nodes",
          "tasks",
          "history",
          "settings",
          "about");

  @TempDir Path folder;

  @Test
  void aFileIsRaidedLookedAtAndUnraided() throws Exception {
    Optional<Browser> found = Browser.start(folder.resolve("profile"));
    assumeTrue(found.isPresent(), "There is no chromium and chromedriver on the path");
    Path conf = new QuietDaemon(folder.resolve("conf")).with("raiding: {quarantine: 0s}\n");
    try (Browser browser = found.get();
        EmbeddedHdfs hdfs =
            EmbeddedHdfs.builder()
                .dataNodes(8)
                .racks(4)
                .blockSize(BLOCK)
                .withBlockTokens()
                .start();
        InProcessDaemon daemon = InProcessDaemon.start(conf, hdfs)) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/warehouse/a.orc");
      load(hdfs, file);
      daemon.runJob("scan");

      browser.open(daemon.address(), "files");
      browser.click(file.toUri().getPath());
      browser.await("not under parity");
      carryOut(browser, "Raid", "It is old");
      browser.click("Close");
      daemon.awaitState("/warehouse", 1, FileState.RAIDED);
      assertThat(hdfs.fileSystem().getFileStatus(file).getReplication()).isEqualTo((short) 1);
      assertThat(
              daemon.client().tasks(Optional.empty(), Paging.FIRST).items().get(0).operatorReason())
          .isEqualTo("It is old");

      browser.open(daemon.address(), "files");
      browser.click(file.toUri().getPath());
      browser.await("All 2 stripes are whole");
      show(browser, "file");
      for (String page : PAGES) {
        browser.open(daemon.address(), page);
        browser.await(page.substring(0, 1).toUpperCase(Locale.ROOT) + page.substring(1));
        browser.awaitNo("Asking the RaidNode");
        assertThat(browser.text()).doesNotContain("undefined", "NaN", "[object");
        show(browser, page);
      }

      browser.open(daemon.address(), "files");
      browser.click(file.toUri().getPath());
      carryOut(browser, "Unraid", "It is hot");
      browser.click("Close");
      daemon.awaitState("/warehouse", 0, FileState.RAIDED);
      Until.holds(
          () -> hdfs.fileSystem().getFileStatus(file).getReplication() == 3, () -> "3 replicas");
    }
  }

  /** Looks for barriers, and keeps pictures for people to look at. */
  private static void show(Browser browser, String page) throws IOException {
    for (boolean dark : new boolean[] {true, false}) {
      browser.dark(dark);
      assertThat(browser.barriers()).as("%s, dark: %s", page, dark).isEmpty();
      browser.screenshot(SCREENSHOTS.resolve(page + (dark ? "-dark.png" : "-light.png")));
      browser.size(Browser.WIDE);
    }
    browser.size(Browser.NARROW);
    browser.screenshot(SCREENSHOTS.resolve(page + "-narrow.png"));
    browser.size(Browser.WIDE);
  }

  /** From the button to the answer that it is a task. */
  private static void carryOut(Browser browser, String button, String reason) {
    browser.click(button);
    browser.await("Reason, for the audit");
    browser.fill("reason", reason);
    browser.click("Carry it out");
    browser.await("Accepted as task");
  }

  private static void load(EmbeddedHdfs hdfs, org.apache.hadoop.fs.Path file) throws Exception {
    byte[] bytes = new byte[5 * BLOCK + 7];
    new Random(20).nextBytes(bytes);
    try (OutputStream out = hdfs.fileSystem().create(file, true, 4096, (short) 3, BLOCK)) {
      out.write(bytes);
    }
  }
}
