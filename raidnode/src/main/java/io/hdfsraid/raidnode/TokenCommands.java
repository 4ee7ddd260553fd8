// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.dropwizard.util.Duration;
import io.hdfsraid.raidnode.access.AccessToken;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.access.TokensFile.NewToken;
import io.hdfsraid.raidnode.config.SettingsException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The commands for the tokens of users. A running daemon notices each change by itself. */
@Command(
    name = "token",
    description = "Creates, lists and revokes the tokens that prove who a user is.",
    synopsisSubcommandLabel = "COMMAND")
final class TokenCommands extends CommandGroup {
  /** Reads the name of a role. */
  static final class RoleReader implements ITypeConverter<Role> {
    @Override
    public Role convert(String value) {
      try {
        return Role.of(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Reads a duration as the configuration has them. */
  static final class DurationReader implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      try {
        return Duration.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s' is no duration such as 90d".formatted(value));
      }
    }
  }

  TokenCommands(SettingsReader reader, Clock clock, PrintStream out, PrintStream err) {
    super(reader, clock, out, err);
  }

  private TokensFile tokens() throws SettingsException {
    return new TokensFile(settings().tokensFile(), clock);
  }

  @Command(
      name = "create",
      description = {
        "Creates a token and prints it. It is kept as a hash, so nobody can print it again."
      })
  int create(
      @Option(
              names = "--user",
              required = true,
              paramLabel = "NAME",
              description = "Who will use it: a person or a program.")
          String user,
      @Option(
              names = "--role",
              required = true,
              paramLabel = "ROLE",
              converter = RoleReader.class,
              description = "metrics, viewer, operator or admin.")
          Role role,
      @Option(
              names = "--expires",
              paramLabel = "TIME",
              converter = DurationReader.class,
              description = "How long it is valid, e.g. 90d. Default: until it is revoked.")
          Optional<Duration> expires)
      throws SettingsException {
    TokensFile file = tokens();
    return attempt(
        () -> {
          requireOwner();
          NewToken created = file.create(user, role, expires.map(Duration::toJavaDuration));
          out.println(created.secret());
          err.printf(
              "Token %s of %s, role %s, %s, is in %s. Keep the line above in a file that only %s can read.%n",
              created.token().id(),
              user,
              role,
              created
                  .token()
                  .expires()
                  .map(end -> "valid until " + end.truncatedTo(ChronoUnit.SECONDS))
                  .orElse("valid until revoked"),
              file,
              user);
        });
  }

  @Command(name = "list", description = "Lists the tokens, without their secrets.")
  int list() throws SettingsException {
    TokensFile file = tokens();
    return attempt(
        () -> {
          List<AccessToken> all = file.read();
          if (all.isEmpty()) {
            out.println("There are no tokens in " + file);
            return;
          }
          TextTable table =
              TextTable.forColumns(
                  Help.defaultColorScheme(Ansi.OFF),
                  new Column(10, 0, Column.Overflow.SPAN),
                  new Column(20, 0, Column.Overflow.SPAN),
                  new Column(10, 0, Column.Overflow.SPAN),
                  new Column(22, 0, Column.Overflow.SPAN),
                  new Column(30, 0, Column.Overflow.SPAN));
          table.addRowValues("ID", "USER", "ROLE", "CREATED", "EXPIRES");
          Instant now = clock.instant();
          for (AccessToken token : all) {
            table.addRowValues(
                token.id(),
                token.user(),
                token.role().toString(),
                seconds(token.created()),
                token.expires().map(TokenCommands::seconds).orElse("never")
                    + (token.isExpired(now) ? " (expired)" : ""));
          }
          out.print(table);
        });
  }

  private void requireOwner() throws IOException {
    try {
      new FolderOwner(settings().tokensFile().toAbsolutePath().getParent()).require();
    } catch (SettingsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Command(name = "revoke", description = "Revokes a token: from now on it is wrong.")
  int revoke(
      @Parameters(paramLabel = "ID", description = "Its ID, as 'raidnode token list' shows it.")
          String id)
      throws SettingsException {
    TokensFile file = tokens();
    return attempt(
        () -> {
          requireOwner();
          AccessToken revoked =
              file.revoke(id)
                  .orElseThrow(
                      () -> new IOException("There is no token %s in %s".formatted(id, file)));
          out.printf("Token %s of %s is revoked%n", id, revoked.user());
        });
  }

  private interface Work {
    void run() throws IOException;
  }

  private int attempt(Work work) {
    try {
      work.run();
      return ExitCode.OK.number();
    } catch (IllegalArgumentException e) {
      err.println("raidnode: " + e.getMessage());
      return ExitCode.USAGE.number();
    } catch (IOException e) {
      err.println("raidnode: " + e.getMessage());
      return ExitCode.TROUBLE.number();
    }
  }
}
