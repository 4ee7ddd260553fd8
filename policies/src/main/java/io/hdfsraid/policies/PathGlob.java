// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A pattern for absolute HDFS paths.
 *
 * <pre>
 * *        any characters within one name            /logs/*.gz
 * ?        one character within one name
 * **       any number of directories, also none      /warehouse/**    **&#47;_temporary/**
 * {a,b}    one of the alternatives                   /user/{hive,spark}/**
 * [a-c]    one of the characters, [!a-c] one other
 * \        takes the special meaning from the next character
 * </pre>
 *
 * A pattern without any of these names a file, or a directory with everything below it: {@code
 * /warehouse} covers {@code /warehouse/a/b} too. {@code /a/**} covers what is below {@code /a}.
 * Names that begin with a dot are nothing special. {@code hdfs://ns1/warehouse/**} is a pattern of
 * one nameservice, any other one of all that the daemon guards.
 *
 * <p>Paths are matched as strings and not by {@code java.nio.file.PathMatcher}, whose answer
 * depends on the platform's file names: with {@code LANG=C} it refuses every name that is not
 * ASCII.
 */
public final class PathGlob {
  private static final String SCHEME = "hdfs://";
  private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9._:-]+");

  private final String text;
  private final Optional<String> nameservice;
  private final Shape shape;

  private PathGlob(String text, Optional<String> nameservice, Shape shape) {
    this.text = text;
    this.nameservice = nameservice;
    this.shape = shape;
  }

  /**
   * A way to compare paths. An evaluation compares millions of paths with a dozen patterns each.
   * Most patterns refuse a path by its first characters, or by a name that the path does not
   * contain.
   */
  private sealed interface Shape {
    boolean matches(String path);

    /** Whether it matches whatever begins with this, which ends with a slash. */
    boolean takesAllBelow(String directory);

    /** What all paths that it matches begin with. */
    String beginning();
  }

  /** A file, or a directory with all below it. */
  private record Tree(String top) implements Shape {
    @Override
    public boolean matches(String path) {
      return path.startsWith(top)
          && (path.length() == top.length() || path.charAt(top.length()) == '/');
    }

    @Override
    public boolean takesAllBelow(String directory) {
      return directory.startsWith(top + "/");
    }

    @Override
    public String beginning() {
      return top;
    }
  }

  /**
   * The files below a directory.
   *
   * @param directory with a slash at its end
   */
  private record Below(String directory) implements Shape {
    @Override
    public boolean matches(String path) {
      return path.startsWith(directory);
    }

    @Override
    public boolean takesAllBelow(String other) {
      return other.startsWith(directory);
    }

    @Override
    public String beginning() {
      return directory;
    }
  }

  /** The files below any directory of this name, given with a slash on either side. */
  private record BelowAny(String name) implements Shape {
    @Override
    public boolean matches(String path) {
      return path.contains(name);
    }

    @Override
    public boolean takesAllBelow(String directory) {
      return directory.contains(name);
    }

    @Override
    public String beginning() {
      return "/";
    }
  }

  /**
   * Any other pattern.
   *
   * @param within a part that no match is without
   * @param rest what follows the beginning
   * @param open whether anything may follow the rest
   */
  private record Other(String beginning, String within, Pattern rest, boolean open)
      implements Shape {
    @Override
    public boolean matches(String path) {
      if (!path.startsWith(beginning) || !path.contains(within)) {
        return false;
      }
      Matcher matcher = rest.matcher(path.substring(beginning.length()));
      return open ? matcher.lookingAt() : matcher.matches();
    }

    @Override
    public boolean takesAllBelow(String directory) {
      return false;
    }
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException when no file could ever match: a relative path, a trailing
   *     slash, an unclosed bracket
   */
  public static PathGlob of(String glob) {
    Objects.requireNonNull(glob, "glob");
    if (!glob.startsWith(SCHEME)) {
      return new PathGlob(glob, Optional.empty(), shape(glob));
    }
    int path = glob.indexOf('/', SCHEME.length());
    if (path < 0 || !AUTHORITY.matches(glob.substring(SCHEME.length(), path))) {
      throw new IllegalArgumentException(
          "must name one nameservice and a path, such as hdfs://ns1/warehouse/**, but is '%s'"
              .formatted(glob));
    }
    return new PathGlob(
        glob, Optional.of(glob.substring(SCHEME.length(), path)), shape(glob.substring(path)));
  }

  private static Shape shape(String glob) {
    if (!glob.startsWith("/") && !glob.startsWith("**/")) {
      throw new IllegalArgumentException(
          "must be an absolute path or begin with **/, but is '" + glob + "'");
    }
    if (glob.equals("/")) {
      return new Below("/");
    }
    if (glob.endsWith("/")) {
      throw new IllegalArgumentException(
          "must not end with '/', for no file does; for everything below write '" + glob + "**'");
    }
    if (glob.contains("//")) {
      throw new IllegalArgumentException(
          "must not have an empty name between two slashes, but is '" + glob + "'");
    }
    return new Translation(glob).shape();
  }

  /** The pattern that only this path matches, or what is below it, whatever its characters. */
  public static PathGlob exactly(String path) {
    return of(path.replaceAll("[\\\\*?{}\\[\\]]", "\\\\$0"));
  }

  /**
   * Returns whether it matches a path. A pattern of a single nameservice matches none, unless it
   * was taken {@linkplain #in into} that nameservice.
   */
  public boolean matches(String path) {
    return nameservice.isEmpty() && shape.matches(path);
  }

  /** Returns the nameservice whose paths it is for; empty if it is for those of any. */
  public Optional<String> nameservice() {
    return nameservice;
  }

  /** Returns whether it is for all nameservices that the other is for. */
  private boolean isWhere(PathGlob other) {
    return nameservice.isEmpty() || nameservice.equals(other.nameservice);
  }

  /** Returns the same pattern for the paths of one nameservice; empty if it is for another one. */
  Optional<PathGlob> in(String one) {
    if (nameservice.isEmpty()) {
      return Optional.of(this);
    }
    return nameservice.get().equals(one)
        ? Optional.of(of(text.substring(SCHEME.length() + one.length())))
        : Optional.empty();
  }

  static List<PathGlob> allIn(String nameservice, List<PathGlob> patterns) {
    return patterns.stream().flatMap(pattern -> pattern.in(nameservice).stream()).toList();
  }

  /** Whether it surely matches every path that the other matches; false where that is not clear. */
  boolean covers(PathGlob other) {
    if (equals(other)) {
      return true;
    }
    String beginning = other.shape.beginning();
    return isWhere(other)
        && shape.takesAllBelow(beginning.substring(0, beginning.lastIndexOf('/') + 1));
  }

  /**
   * Whether it surely matches all below a directory that the other is the plain name of; the name
   * itself may be left.
   */
  boolean coversBelow(PathGlob directory) {
    return isWhere(directory)
        && directory.shape instanceof Tree tree
        && shape.takesAllBelow(tree.top() + "/");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathGlob that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The pattern as it was written. */
  @Override
  public String toString() {
    return text;
  }

  /** One pass over the characters of a glob, which become those of a regular expression. */
  private static final class Translation {
    private static final String ANYTHING = ".*";

    private final String glob;
    private final StringBuilder regex = new StringBuilder();

    /** Plain characters that every match has, in this order; between them is what is special. */
    private final List<StringBuilder> pieces = new ArrayList<>(List.of(new StringBuilder()));

    private int at;
    private boolean inBraces;

    /** Where in the regular expression the first special part begins; -1 while there is none. */
    private int special = -1;

    Translation(String glob) {
      this.glob = glob;
    }

    Shape shape() {
      if (glob.startsWith("**/")) {
        slash();
        anyDirectories(3);
      }
      while (at < glob.length()) {
        one();
      }
      if (inBraces) {
        throw wrong("has a '{' without its '}'");
      }
      if (special < 0) {
        return new Tree(piece(0));
      }
      if (pieces.size() == 2 && glob.endsWith("/**")) {
        return new Below(piece(0));
      }
      if (pieces.size() == 3 && glob.startsWith("**/") && glob.endsWith("/**")) {
        return new BelowAny(piece(1));
      }
      String longest =
          pieces.stream()
              .skip(1)
              .map(StringBuilder::toString)
              .max(Comparator.comparingInt(String::length))
              .orElse("");
      // Nearly all time goes into the characters that RE2/J sees.
      boolean open = regex.toString().endsWith(ANYTHING);
      String rest = regex.substring(special, regex.length() - (open ? ANYTHING.length() : 0));
      try {
        return new Other(piece(0), longest, Pattern.compile(rest, Pattern.DOTALL), open);
      } catch (PatternSyntaxException e) {
        throw wrong("has a malformed part '%s' (%s)".formatted(e.getPattern(), e.getDescription()));
      }
    }

    private String piece(int number) {
      return pieces.get(number).toString();
    }

    private void one() {
      if (glob.startsWith("/**/", at)) {
        slash();
        anyDirectories(4);
      } else if (glob.startsWith("**", at)) {
        special(ANYTHING, 2);
      } else {
        switch (glob.charAt(at)) {
          case '*' -> special("[^/]*", 1);
          case '?' -> special("[^/]", 1);
          case '[' -> brackets();
          case '{' -> openBraces();
          case '}' -> special(inBraces ? closeBraces() : "\\}", 1);
          case ',' -> comma();
          case '\\' -> escaped();
          default -> literal();
        }
      }
    }

    private void slash() {
      add('/');
    }

    /** Behind a slash; what comes then has one before it, either this or the last of them. */
    private void anyDirectories(int length) {
      special("(?:.*/)?", length);
      if (!inBraces) {
        pieces.get(pieces.size() - 1).append('/');
      }
    }

    private void comma() {
      if (inBraces) {
        special("|", 1);
      } else {
        literal();
      }
    }

    private void openBraces() {
      if (inBraces) {
        throw wrong("has braces within braces");
      }
      inBraces = true;
      special("(?:", 1);
    }

    private String closeBraces() {
      inBraces = false;
      return ")";
    }

    private void brackets() {
      int end = glob.indexOf(']', at + 1);
      if (end < 0 || end == at + 1) {
        throw wrong("has a '[' without its characters and ']'");
      }
      String inside = glob.substring(at + 1, end);
      boolean negated = inside.startsWith("!") || inside.startsWith("^");
      String characters =
          (negated ? inside.substring(1) : inside).replaceAll("[\\\\\\[&^]", "\\\\$0");
      if (characters.isEmpty() || characters.contains("/")) {
        throw wrong("has brackets that are empty or hold a '/'");
      }
      special(negated ? "[^/" + characters + "]" : "[" + characters + "]", end + 1 - at);
    }

    private void escaped() {
      at++;
      if (at == glob.length()) {
        throw wrong("ends with a lone '\\'");
      }
      literal();
    }

    private void literal() {
      int c = glob.codePointAt(at);
      add(c);
      at += Character.charCount(c);
    }

    private void add(int c) {
      regex.append(isPunctuation(c) ? "\\" : "").appendCodePoint(c);
      if (!inBraces) {
        pieces.get(pieces.size() - 1).appendCodePoint(c);
      }
    }

    /** Whether a regular expression may have a backslash before it, and perhaps must. */
    private static boolean isPunctuation(int c) {
      return c < 128 && !Character.isLetterOrDigit(c);
    }

    private void special(String replacement, int length) {
      special = special < 0 ? regex.length() : special;
      regex.append(replacement);
      at += length;
      pieces.add(new StringBuilder());
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(what + ": '" + glob + "'");
    }
  }
}
