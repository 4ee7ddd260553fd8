// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.alias.CredentialProviderFactory;

/** The passwords that {@code hadoop credential create} keeps, by their aliases. */
public final class HadoopCredentials {
  private HadoopCredentials() {}

  /**
   * Returns a password from the providers of the Hadoop configuration on the class path.
   *
   * @throws IOException if there is none
   */
  public static String password(String alias) throws IOException {
    return password(alias, new HdfsConfiguration());
  }

  static String password(String alias, Configuration hadoop) throws IOException {
    String providers = hadoop.getTrimmed(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "");
    if (providers.isEmpty()) {
      throw new IOException(
          "%s is not set in the core-site.xml that the daemon finds (HADOOP_CONF_DIR)"
              .formatted(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH));
    }
    char[] password;
    try {
      password = hadoop.getPasswordFromCredentialProviders(alias);
    } catch (IOException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new IOException("%s cannot be read: %s".formatted(providers, reason.getMessage()), e);
    }
    if (password == null) {
      throw new IOException(
          "%s has no alias %s that this user can read: hadoop credential list"
              .formatted(providers, alias));
    }
    return new String(password);
  }
}
