// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/** The user as whom jobs run. Safe for concurrent use. */
final class JobUser {
  private final String name;
  private final Credentials credentials;

  private JobUser(String name, Credentials credentials) {
    this.name = name;
    this.credentials = credentials;
  }

  /** Returns whom to act as now. */
  private interface Credentials {
    UserGroupInformation now() throws IOException;
  }

  /**
   * Asks no KDC: a login is tried by the first call.
   *
   * @throws IOException if the user of this process is not known, or Hadoop has no user for the
   *     principal
   */
  static JobUser of(ContainerSettings settings) throws IOException {
    UserGroupInformation daemon = UserGroupInformation.getCurrentUser();
    if (settings.login().isPresent()) {
      JobLogin login = settings.login().get();
      String thisMachine = "";
      String principal = SecurityUtil.getServerPrincipal(login.principal(), thisMachine);
      return new JobUser(
          new HadoopKerberosName(principal).getShortName(),
          new Keytab(principal, login.keytab().toString()));
    }
    UserGroupInformation user =
        settings.user().isEmpty() || settings.user().get().equals(daemon.getShortUserName())
            ? daemon
            : UserGroupInformation.createProxyUser(settings.user().get(), daemon);
    return new JobUser(user.getShortUserName(), () -> user);
  }

  /** Logs in when it is needed first, and again before the ticket ends. */
  private static final class Keytab implements Credentials {
    private final String principal;
    private final String file;

    /** Guarded by this. */
    private Optional<UserGroupInformation> user = Optional.empty();

    Keytab(String principal, String file) {
      this.principal = principal;
      this.file = file;
    }

    @Override
    public synchronized UserGroupInformation now() throws IOException {
      if (user.isPresent()) {
        // Hadoop does this by itself only for the user of the process.
        user.get().checkTGTAndReloginFromKeytab();
      } else {
        user = Optional.of(UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, file));
      }
      return user.get();
    }
  }

  /** Returns the name that HDFS and YARN have for the user. */
  String name() {
    return name;
  }

  /**
   * Calls YARN or HDFS as this user.
   *
   * @throws InterruptedIOException if interrupted; the interrupt flag is set
   * @throws IOException that of the call or of the login, or one with the message of any other
   *     failure of it
   */
  <T> T call(PrivilegedExceptionAction<T> call) throws IOException {
    try {
      return credentials.now().doAs(call);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while YARN was asked").initCause(e);
    } catch (UndeclaredThrowableException e) { // such as that of a class that is missing
      Throwable failure = e.getCause();
      throw new IOException(
          "%s: %s".formatted(failure.getClass().getSimpleName(), failure.getMessage()), failure);
    }
  }
}
