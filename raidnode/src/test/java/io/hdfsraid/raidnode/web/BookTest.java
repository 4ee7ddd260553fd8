// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BookTest {
  private static final Path PROJECT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  private static final Map<String, String> PAGES = new TreeMap<>();
  private static Book book;

  @BeforeAll
  static void read() throws IOException {
    book = Book.read();
    for (Map.Entry<String, StaticContent> each : book.contents().entrySet()) {
      if (each.getKey().isEmpty() || each.getKey().endsWith(".html")) {
        PAGES.put(each.getKey(), served(each.getValue()));
      }
    }
  }

  /** Asks for a file as a browser would; only what is sent is looked at. */
  private static String served(StaticContent content) throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    ServletOutputStream out =
        new ServletOutputStream() {
          @Override
          public void write(int b) {
            sent.write(b);
          }

          @Override
          public boolean isReady() {
            return true;
          }

          @Override
          public void setWriteListener(WriteListener listener) {}
        };
    content.serve(stub(HttpServletRequest.class, null), stub(HttpServletResponse.class, out));
    return sent.toString(UTF_8);
  }

  private static <T> T stub(Class<T> type, ServletOutputStream out) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> method.getName().equals("getOutputStream") ? out : null));
  }

  @Test
  void everyDocumentIsInTheBook() throws IOException {
    try (Stream<Path> files = Files.walk(PROJECT.resolve("docs"))) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".md"))
                  .map(file -> PROJECT.resolve("docs").relativize(file).toString()))
          .hasSizeGreaterThan(25)
          .allSatisfy(
              name ->
                  assertThat(PAGES).containsKey(name.replace('\\', '/').replace(".md", ".html")));
    }
    assertThat(PAGES).containsKeys("", "README.html", "ARCHITECTURE.html");
    assertThat(book.contents()).containsKeys("web-overview.png", "small-files.svg");
  }

  @Test
  void everyLinkLeadsToAPageAndToAHeadingOfIt() {
    PAGES.forEach(
        (name, html) ->
            assertThat(LINK.matcher(html).results().map(link -> link.group(1)))
                .as(name)
                .allSatisfy(target -> assertLeads(name, html, target)));
  }

  private static void assertLeads(String name, String html, String target) {
    if (target.startsWith("https://")
        || target.startsWith("http://127.0.0.1")
        || target.startsWith("/page/")
        || target.equals("/")) {
      return;
    }
    String[] parts = target.split("#", 2);
    String there = html;
    if (!parts[0].isEmpty()) {
      assertThat(parts[0]).startsWith(Book.ROOT);
      String path = parts[0].substring(Book.ROOT.length());
      assertThat(book.contents()).as(name).containsKey(path);
      there = PAGES.get(path);
    }
    if (parts.length > 1) {
      assertThat(there).contains("id=\"" + parts[1] + "\"");
    }
  }

  @Test
  void pagesHaveTitlesTablesAndNoMarkupOfOthers() {
    assertThat(PAGES.get("codecs.html"))
        .contains("<table tabindex=\"0\">", "<title>Choosing an erasure code")
        .doesNotContain("<script");
    assertThat(PAGES.get("install.html"))
        .contains("<pre tabindex=\"0\"><code class=\"language-sh\">");
    assertThat(PAGES.values())
        .allSatisfy(
            html ->
                assertThat(
                        Pattern.compile("<title>(.*) – HDFS-RAID</title>")
                            .matcher(html)
                            .results()
                            .map(MatchResult::group))
                    .hasSize(1));
  }
}
