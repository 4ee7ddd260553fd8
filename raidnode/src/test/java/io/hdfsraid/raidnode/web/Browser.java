// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A headless Chromium that looks at the web page. Both programs are found on the path; the
 * properties {@code browser} and {@code browser.driver} name others.
 */
public final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /** Wide enough for the longest table, and the width of a phone. */
  public static final Dimension WIDE = new Dimension(1440, 1000);

  public static final Dimension NARROW = new Dimension(390, 844);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts the browser; empty if this machine has none. */
  public static Optional<Browser> start(Path profile) {
    Optional<String> browser = program("browser", "chromium", "chromium-browser", "google-chrome");
    Optional<String> service = program("browser.driver", "chromedriver");
    if (browser.isEmpty() || service.isEmpty()) {
      return Optional.empty();
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.get());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--user-data-dir=" + profile);
    ChromeDriverService driver =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(service.get()))
            .usingAnyFreePort()
            .build();
    Browser started = new Browser(new ChromeDriver(driver, options));
    started.size(WIDE);
    return Optional.of(started);
  }

  /** Returns what the property names, else the first of these programs on the path. */
  static Optional<String> program(String property, String... names) {
    if (System.getProperty(property) != null) {
      return Optional.of(System.getProperty(property));
    }
    List<String> path = List.of(System.getenv("PATH").split(File.pathSeparator, -1));
    return Stream.of(names)
        .flatMap(name -> path.stream().map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** Goes to a page of a daemon, such as {@code overview}, as if for the first time. */
  public void open(URI daemon, String page) {
    driver.get("about:blank");
    driver.get(daemon.resolve("/#/" + page).toString());
  }

  public String title() {
    return driver.getTitle();
  }

  /** Returns what a person can read. */
  public String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** Returns the number of elements that a CSS selector finds. */
  public int count(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  /** Waits until all of these texts can be read, and returns all that can. */
  public String await(String... texts) {
    String[] seen = {""};
    await(
        () -> {
          seen[0] = text();
          return Stream.of(texts).allMatch(seen[0]::contains);
        },
        () -> "no %s in:%n%s".formatted(List.of(texts), seen[0]));
    return seen[0];
  }

  /** Waits until none of these texts can be read. */
  public void awaitNo(String... texts) {
    await(
        () -> {
          String seen = text();
          return Stream.of(texts).noneMatch(seen::contains);
        },
        () -> "one of %s in:%n%s".formatted(List.of(texts), text()));
  }

  private void await(BooleanSupplier condition, Supplier<String> otherwise) {
    try {
      new WebDriverWait(driver, PATIENCE, BETWEEN_LOOKS)
          .ignoring(StaleElementReferenceException.class)
          .until(any -> condition.getAsBoolean());
    } catch (TimeoutException e) {
      throw new AssertionError(otherwise.get(), e);
    }
  }

  /** Waits until something holds outside of the browser. */
  public void until(BooleanSupplier condition) {
    await(condition, () -> "in vain; the page shows: " + text());
  }

  /** Clicks on the button or link with this text, when it is there. */
  public void click(String text) {
    By which = By.xpath("//*[self::button or self::a][normalize-space()='%s']".formatted(text));
    await(
        () -> {
          List<WebElement> found = driver.findElements(which);
          if (found.isEmpty()) {
            return false;
          }
          found.get(0).click();
          return true;
        },
        () -> "nothing to click with the text '%s' in:%n%s".formatted(text, text()));
  }

  /** Writes into the field with this name, which replaces what it held. */
  public void fill(String name, String text) {
    By field = By.name(name);
    await(() -> !driver.findElements(field).isEmpty(), () -> "no field " + name);
    WebElement input = driver.findElement(field);
    input.clear();
    input.sendKeys(text);
  }

  /** Returns the outcome of a function in JavaScript. */
  public Object run(String script) {
    return driver.executeScript(script);
  }

  /**
   * Returns the longest time for which the page, since it was opened, did nothing else; zero if
   * none was over 50 milliseconds (W3C, Long Tasks API).
   */
  public Duration longestTask() {
    Object longest =
        driver.executeAsyncScript(
            """
            const done = arguments[0];
            let longest = 0;
            new PerformanceObserver((list) => {
              longest = Math.max(longest, ...list.getEntries().map((task) => task.duration));
            }).observe({ type: 'longtask', buffered: true });
            setTimeout(() => done(longest), 100);
            """);
    return Duration.ofMillis(((Number) longest).longValue());
  }

  public void size(Dimension size) {
    // Chromium makes no window narrower than 500 pixels, but shows as if there were one.
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            size.getWidth(),
            "height",
            size.getHeight(),
            "deviceScaleFactor",
            1,
            "mobile",
            false));
  }

  /** Asks for dark colours, or for light ones. */
  public void dark(boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Writes all of the page as a PNG. */
  public void screenshot(Path file) throws IOException {
    Object height = run("return Math.ceil(document.documentElement.scrollHeight)");
    Object width = run("return window.innerWidth");
    size(new Dimension(((Number) width).intValue(), ((Number) height).intValue()));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Returns what axe finds wrong for people who cannot see well or use no mouse. */
  public List<String> barriers() {
    return new AxeBuilder().analyze(driver).getViolations().stream().map(Browser::inWords).toList();
  }

  private static String inWords(Rule rule) {
    return "%s: %s: %s"
        .formatted(
            rule.getId(),
            rule.getHelp(),
            rule.getNodes().stream().map(node -> node.getHtml()).toList());
  }

  @Override
  public void close() {
    driver.quit();
  }
}
