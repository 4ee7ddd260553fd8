// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.settings;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A mapping of keys in a settings file. It returns the values and reports what is wrong with them
 * to {@link Problems}.
 */
public final class Section {
  private final Map<String, Object> values = new HashMap<>();
  private final Set<String> wrong = new HashSet<>();
  private final String at;
  private final Problems problems;

  public Section(Map<?, ?> tree, String at, List<String> known, Problems problems) {
    this.at = at;
    this.problems = problems;
    tree.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          if (!known.contains(name)) {
            problem(name, Spelling.unknownKey(name, known));
          } else if (value != null) {
            values.put(name, value);
          }
        });
  }

  /** An entry of a list, with the key that names it in this section. */
  public record Entry(String key, Object value) {}

  /** The section that is an entry of this one. */
  public Section at(String key, Map<?, ?> tree, List<String> known) {
    return new Section(tree, path(key), known, problems);
  }

  /** The section of this key; empty where there is none. */
  public Optional<Section> section(String key, List<String> known) {
    if (!has(key)) {
      return Optional.empty();
    }
    if (values.get(key) instanceof Map<?, ?> map) {
      return Optional.of(at(key, map, known));
    }
    problem(
        key,
        "must have keys of its own (%s), but is '%s'"
            .formatted(String.join(", ", known), values.get(key)));
    return Optional.empty();
  }

  private String path(String key) {
    return at.isEmpty() ? key : at + "." + key;
  }

  public void problem(String key, String message) {
    wrong.add(key);
    problems.add(path(key), message);
  }

  /** How many problems there are so far, in all sections: when it grows, something was wrong. */
  public int problems() {
    return problems.size();
  }

  public boolean isFine(String key) {
    return !wrong.contains(key);
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  public Set<String> keys() {
    return values.keySet();
  }

  public void require(String... keys) {
    for (String key : keys) {
      if (!has(key)) {
        problem(key, "is missing");
      }
    }
  }

  public List<Entry> entries(String key) {
    Object value = values.getOrDefault(key, List.of());
    List<Entry> entries = new ArrayList<>();
    if (value instanceof Collection<?> all) {
      for (Object entry : all) {
        entries.add(new Entry(key + "[" + entries.size() + "]", entry));
      }
    } else {
      problem(key, "must be a list, but is '" + value + "'");
    }
    return entries;
  }

  /**
   * The entries of a list; those with which something is wrong are left out.
   *
   * @param parser throws IllegalArgumentException with what is wrong
   */
  public <T> List<T> list(String key, Function<String, T> parser) {
    List<T> all = new ArrayList<>();
    for (Entry entry : entries(key)) {
      parse(entry.key(), entry.value(), parser).ifPresentOrElse(all::add, () -> wrong.add(key));
    }
    return all;
  }

  public Optional<String> text(String key) {
    return value(key, Function.identity());
  }

  public Optional<String> checked(String key, Function<String, Optional<String>> problemWith) {
    Optional<String> text = text(key);
    text.flatMap(problemWith).ifPresent(message -> problem(key, message));
    return text;
  }

  /**
   * A single value.
   *
   * @param parser throws IllegalArgumentException with what is wrong
   */
  public <T> Optional<T> value(String key, Function<String, T> parser) {
    return has(key) ? parse(key, values.get(key), parser) : Optional.empty();
  }

  private <T> Optional<T> parse(String key, Object value, Function<String, T> parser) {
    if (!(value instanceof String) && !(value instanceof Number) && !(value instanceof Boolean)) {
      problem(key, "must be a single value, but is '" + value + "'");
      return Optional.empty();
    }
    String text = value.toString().strip();
    try {
      if (text.isEmpty()) {
        throw new IllegalArgumentException("must not be empty");
      }
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException e) {
      problem(key, e.getMessage());
      return Optional.empty();
    }
  }

  public static boolean yesOrNo(String text) {
    if (!text.matches("true|false")) {
      throw new IllegalArgumentException("must be true or false, but is '%s'".formatted(text));
    }
    return text.equals("true");
  }

  public static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "must be a time zone such as UTC or Europe/Berlin, but is '%s'".formatted(text), e);
    }
  }

  public static Function<String, Integer> wholeNumber(int least, int most) {
    return text -> {
      if (text.matches("-?\\d{1,9}")) {
        int number = Integer.parseInt(text);
        if (number >= least && number <= most) {
          return number;
        }
      }
      throw new IllegalArgumentException(
          "must be %d to %d, but is '%s'".formatted(least, most, text));
    };
  }

  /** With or without its sign. */
  public static Function<String, Integer> percent(int least) {
    return text -> {
      try {
        return wholeNumber(least, 100).apply(text.replaceFirst("\\s*%$", ""));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "must be %d%% to 100%%, but is '%s'".formatted(least, text), e);
      }
    };
  }

  /** One of the constants, in small or capital letters. */
  public static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type) {
    return text -> {
      List<String> known = new ArrayList<>();
      for (E constant : type.getEnumConstants()) {
        if (constant.name().equalsIgnoreCase(text)) {
          return constant;
        }
        known.add(constant.name());
      }
      throw new IllegalArgumentException(
          "must be one of %s, but is '%s'".formatted(String.join(", ", known), text));
    };
  }
}
