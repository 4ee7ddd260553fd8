// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Users and clients whose reads do not count, such as the daemon and backup jobs. For one thread.
 *
 * @param users names in which {@code *} matches any characters; with or without their realm
 * @param clients addresses in which {@code *} matches any characters
 */
public record IgnoredReaders(List<String> users, List<String> clients) {
  public static final IgnoredReaders NONE = new IgnoredReaders(List.of(), List.of());

  public IgnoredReaders {
    users = List.copyOf(users);
    clients = List.copyOf(clients);
  }

  Judge judge() {
    return new Judge(patterns(users), patterns(clients));
  }

  private static List<Pattern> patterns(List<String> globs) {
    List<Pattern> patterns = new ArrayList<>();
    for (String glob : globs) {
      StringBuilder expression = new StringBuilder();
      for (String literal : glob.split("\\*", -1)) {
        expression.append(expression.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
      }
      patterns.add(Pattern.compile(expression.toString(), Pattern.DOTALL));
    }
    return patterns;
  }

  /** Caches its decisions, because a log has few users and clients. */
  static final class Judge {
    private static final int REMEMBERED = 10_000;

    private final List<Pattern> users;
    private final List<Pattern> clients;
    private final Map<String, Boolean> ofUsers = new HashMap<>();
    private final Map<String, Boolean> ofClients = new HashMap<>();

    Judge(List<Pattern> users, List<Pattern> clients) {
      this.users = users;
      this.clients = clients;
    }

    boolean ignores(byte[] line, AuditLineReader.Range ugi, AuditLineReader.Range ip) {
      return (!users.isEmpty() && remembered(ofUsers, ugi.text(line), this::ignoresUser))
          || (!clients.isEmpty() && remembered(ofClients, ip.address(line), this::ignoresClient));
    }

    private static boolean remembered(
        Map<String, Boolean> answers, String question, Predicate<String> answer) {
      Boolean known = answers.get(question);
      if (known == null) {
        if (answers.size() >= REMEMBERED) {
          answers.clear();
        }
        known = answer.test(question);
        answers.put(question, known);
      }
      return known;
    }

    /**
     * Of {@code hive/host@REALM (auth:KERBEROS)} also {@code hive}. Who reads for others counts.
     */
    private boolean ignoresUser(String ugi) {
      int blank = ugi.indexOf(" (auth:");
      String name = blank < 0 ? ugi : ugi.substring(0, blank);
      String shortName = name.split("[/@]", 2)[0];
      return anyMatches(users, name) || anyMatches(users, shortName);
    }

    private boolean ignoresClient(String address) {
      return anyMatches(clients, address);
    }

    private static boolean anyMatches(List<Pattern> patterns, String text) {
      return patterns.stream().anyMatch(pattern -> pattern.matcher(text).matches());
    }
  }
}
