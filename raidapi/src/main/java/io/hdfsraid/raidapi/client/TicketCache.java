// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.client;

import io.hdfsraid.raidapi.ErrorCode;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/**
 * Proves by the Kerberos tickets that {@code kinit} has got for this user (SPNEGO, RFC 4559). Each
 * request has a token of its own, since a daemon accepts none twice.
 */
final class TicketCache implements Proof {
  private static final String SPNEGO = "1.3.6.1.5.5.2";

  private final Subject user;

  private TicketCache(Subject user) {
    this.user = user;
  }

  /** Reads the cache only, and asks nobody for a password. */
  private static final class CacheOnly extends Configuration {
    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            "com.sun.security.auth.module.Krb5LoginModule",
            LoginModuleControlFlag.REQUIRED,
            Map.of("useTicketCache", "true", "doNotPrompt", "true"))
      };
    }
  }

  static TicketCache open() throws RaidNodeException {
    try {
      LoginContext login = new LoginContext("raidnode", null, null, new CacheOnly());
      login.login();
      return new TicketCache(login.getSubject());
    } catch (LoginException e) {
      throw new RaidNodeException(
          ErrorCode.NO_TOKEN,
          "There is no valid Kerberos ticket: " + e.getMessage().strip(),
          "Run kinit. Java reads caches that are files, such as KRB5CCNAME=FILE:/tmp/krb5cc_1000; 'klist' shows yours.",
          e);
    }
  }

  @Override
  public String header(URI address) throws RaidNodeException {
    String host = host(address);
    try {
      byte[] token =
          Subject.doAs(user, (PrivilegedExceptionAction<byte[]>) () -> token("HTTP@" + host));
      return "Negotiate " + Base64.getEncoder().encodeToString(token);
    } catch (PrivilegedActionException e) {
      throw new RaidNodeException(
          ErrorCode.NO_TOKEN,
          "There is no Kerberos ticket for HTTP/%s: %s"
              .formatted(host, e.getException().getMessage()),
          "Use the name of the host in --url that stands in api.kerberos of the RaidNode; 'kvno HTTP/%s' tries it."
              .formatted(host),
          e);
    }
  }

  private static byte[] token(String service) throws GSSException {
    GSSManager manager = GSSManager.getInstance();
    GSSContext context =
        manager.createContext(
            manager.createName(service, GSSName.NT_HOSTBASED_SERVICE),
            new Oid(SPNEGO),
            null,
            GSSContext.DEFAULT_LIFETIME);
    try {
      // TLS proves who answers, or the address is on this machine.
      context.requestMutualAuth(false);
      return context.initSecContext(new byte[0], 0, 0);
    } finally {
      context.dispose();
    }
  }

  /** A principal names a machine by its full name, also on that machine itself. */
  private static String host(URI address) {
    String host = address.getHost();
    try {
      if (InetAddress.getByName(host).isLoopbackAddress()) {
        return InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
      }
    } catch (UnknownHostException e) {
      return host; // a proxy may know it, and the connection fails otherwise
    }
    return host;
  }
}
