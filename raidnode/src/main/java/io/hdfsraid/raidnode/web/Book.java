// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * The documents of the project as HTML: {@code docs/index.md}, and all that it leads to. A link to
 * a file that is not part of the book becomes text.
 */
final class Book {
  /** The address below which the pages link to each other. */
  static final String ROOT = "/docs/";

  private static final String FOLDER = "/io/hdfsraid/raidnode/book/";
  private static final String DOCS = "docs/";
  private static final String INDEX = DOCS + "index.md";

  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  /** What is wider than the page scrolls by itself, also by keyboard. */
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .escapeHtml(true)
          .sanitizeUrls(true)
          .attributeProviderFactory(
              context ->
                  (node, tag, attributes) -> {
                    if (node instanceof TableBlock
                        || (node instanceof FencedCodeBlock && tag.equals("pre"))) {
                      attributes.put("tabindex", "0");
                    }
                  })
          .build();

  private static final String TEMPLATE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>%s – HDFS-RAID</title>
        <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/page/style.css">
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/"><img src="/page/icon.svg" alt="" width="20" height="20"> HDFS-RAID</a>
          <nav aria-label="Documents"><a href="/docs/">Documents</a></nav>
        </header>
        <main id="main" class="book">
      %s
        </main>
      </body>
      </html>
      """;

  private final SortedMap<String, StaticContent> contents = new TreeMap<>();
  private final SortedMap<String, String> found = new TreeMap<>();
  private final Deque<String> unread = new ArrayDeque<>();

  private Book() {}

  /** Reads the book from the class path. */
  static Book read() {
    Book book = new Book();
    book.address(INDEX);
    while (!book.unread.isEmpty()) {
      book.add(book.unread.remove());
    }
    book.contents.put("", book.contents.get("index.html"));
    return book;
  }

  /** Returns the files by their addresses below {@link #ROOT}. */
  Map<String, StaticContent> contents() {
    return Collections.unmodifiableMap(contents);
  }

  private void add(String path) {
    byte[] bytes = StaticContent.read(FOLDER + path);
    String name = found.get(path);
    contents.put(
        name,
        new StaticContent(
            name, path.endsWith(".md") ? page(path, new String(bytes, UTF_8)) : bytes));
  }

  private byte[] page(String path, String markdown) {
    Node document = PARSER.parse(markdown);
    document.accept(new Links(path));
    String title = document.getFirstChild() instanceof Heading heading ? plain(heading) : path;
    return TEMPLATE
        .formatted(RENDERER.render(new Text(title)), RENDERER.render(document))
        .getBytes(UTF_8);
  }

  private static String plain(Node node) {
    return TextContentRenderer.builder().build().render(node);
  }

  /** Returns the address of a file of the book, which is read if it has not been. */
  private String address(String path) {
    return found.computeIfAbsent(
        path,
        fresh -> {
          unread.add(fresh);
          String below = fresh.startsWith(DOCS) ? fresh.substring(DOCS.length()) : fresh;
          return below.replaceFirst("\\.md$", ".html");
        });
  }

  private static boolean exists(String path) {
    return path.matches(".*\\.(md|svg|png)") && Book.class.getResource(FOLDER + path) != null;
  }

  /** Turns the links of a page, which are relative in the sources, into addresses. */
  private final class Links extends AbstractVisitor {
    private final URI page;

    Links(String page) {
      this.page = URI.create("/" + page);
    }

    @Override
    public void visit(Link link) {
      visitChildren(link);
      URI target = page.resolve(link.getDestination());
      if (target.isAbsolute() || link.getDestination().startsWith("#")) {
        return;
      }
      String path = target.getPath().substring(1);
      if (exists(path)) {
        String fragment = target.getRawFragment();
        link.setDestination(ROOT + address(path) + (fragment == null ? "" : "#" + fragment));
        return;
      }
      while (link.getFirstChild() != null) {
        link.insertBefore(link.getFirstChild());
      }
      link.unlink();
    }

    @Override
    public void visit(Image image) {
      visitChildren(image);
      image.setDestination(
          ROOT + address(page.resolve(image.getDestination()).getPath().substring(1)));
    }
  }
}
