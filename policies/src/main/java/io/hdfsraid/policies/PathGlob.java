package io.hdfsraid.policies;

import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

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
 * Names that begin with a dot are nothing special.
 *
 * <p>Paths are matched as strings and not by {@code java.nio.file.PathMatcher}, whose answer
 * depends on the platform's file names: with {@code LANG=C} it refuses every name that is not
 * ASCII.
 */
public final class PathGlob {
  private final String text;
  private final Pattern pattern;

  private PathGlob(String text, Pattern pattern) {
    this.text = text;
    this.pattern = pattern;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException when no file could ever match: a relative path, a trailing
   *     slash, an unclosed bracket
   */
  public static PathGlob of(String glob) {
    Objects.requireNonNull(glob, "glob");
    if (!glob.startsWith("/") && !glob.startsWith("**/")) {
      throw new IllegalArgumentException(
          "must be an absolute path or begin with **/, but is '" + glob + "'");
    }
    if (glob.equals("/")) {
      return new PathGlob(glob, Pattern.compile("/.*", Pattern.DOTALL));
    }
    if (glob.endsWith("/")) {
      throw new IllegalArgumentException(
          "must not end with '/', for no file does; for everything below write '" + glob + "**'");
    }
    if (glob.contains("//")) {
      throw new IllegalArgumentException(
          "must not have an empty name between two slashes, but is '" + glob + "'");
    }
    return new PathGlob(glob, new Translation(glob).pattern());
  }

  /** The pattern that only this path matches, or what is below it, whatever its characters. */
  public static PathGlob exactly(String path) {
    return of(path.replaceAll("[\\\\*?{}\\[\\]]", "\\\\$0"));
  }

  public boolean matches(String path) {
    return pattern.matcher(path).matches();
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
    private final String glob;
    private final StringBuilder regex = new StringBuilder();
    private int at;
    private boolean inBraces;
    private boolean plain = true;

    Translation(String glob) {
      this.glob = glob;
    }

    Pattern pattern() {
      if (glob.startsWith("**/")) {
        regex.append("/(?:.*/)?");
        at = 3;
        plain = false;
      }
      while (at < glob.length()) {
        one();
      }
      if (inBraces) {
        throw wrong("has a '{' without its '}'");
      }
      if (plain) {
        regex.append("(?:/.*)?");
      }
      try {
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
      } catch (PatternSyntaxException e) {
        throw wrong("has a malformed part: " + e.getDescription());
      }
    }

    private void one() {
      if (glob.startsWith("/**/", at)) {
        special("/(?:.*/)?", 4);
      } else if (glob.startsWith("**", at)) {
        special(".*", 2);
      } else {
        switch (glob.charAt(at)) {
          case '*' -> special("[^/]*", 1);
          case '?' -> special("[^/]", 1);
          case '[' -> brackets();
          case '{' -> openBraces();
          case '}' -> special(inBraces ? closeBraces() : "\\}", 1);
          case ',' -> special(inBraces ? "|" : ",", 1, plain);
          case '\\' -> escaped();
          default -> literal();
        }
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
      regex.append(Pattern.quote(Character.toString(c)));
      at += Character.charCount(c);
    }

    private void special(String replacement, int length) {
      special(replacement, length, false);
    }

    private void special(String replacement, int length, boolean staysPlain) {
      regex.append(replacement);
      at += length;
      plain = staysPlain;
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(what + ": '" + glob + "'");
    }
  }
}
