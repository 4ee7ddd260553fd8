// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosUtil;

/** A Kerberos principal and the file of its keys. Everything here is told without the network. */
public final class KerberosIdentity {
  private static final Pattern ANY = Pattern.compile(".*");

  private final String principal;
  private final Path keytab;

  private KerberosIdentity(String principal, Path keytab) {
    this.principal = principal;
    this.keytab = keytab;
  }

  /**
   * Replaces {@code _HOST} by the name of this machine.
   *
   * @throws UnknownHostException if this machine has no name
   */
  public static KerberosIdentity of(String principal, Path keytab) throws IOException {
    String thisMachine = "";
    return new KerberosIdentity(SecurityUtil.getServerPrincipal(principal, thisMachine), keytab);
  }

  public String principal() {
    return principal;
  }

  public Path keytab() {
    return keytab;
  }

  /** Returns whether the Hadoop configuration on the class path asks for Kerberos. */
  public static boolean isAskedFor() {
    return isAskedFor(new HdfsConfiguration());
  }

  /** Returns whether a Hadoop configuration asks for Kerberos. */
  public static boolean isAskedFor(Configuration hadoop) {
    return SecurityUtil.getAuthenticationMethod(hadoop) == AuthenticationMethod.KERBEROS;
  }

  /** Returns why Java or Hadoop cannot log in as this principal. */
  public Optional<String> problemWithPrincipal() {
    return problemWithPrincipal(new HdfsConfiguration());
  }

  /** Returns why Java or Hadoop cannot log in as this principal with the given configuration. */
  public Optional<String> problemWithPrincipal(Configuration hadoop) {
    try {
      if (!isAskedFor(hadoop)) {
        return Optional.of(
            "is set, but hadoop.security.authentication is not kerberos in the core-site.xml that the daemon finds: set HADOOP_CONF_DIR to the folder of the cluster's configuration, or remove this key and keytab");
      }
    } catch (IllegalArgumentException e) {
      return Optional.of("cannot be used: " + e.getMessage());
    }
    try {
      // Hadoop needs a default realm even if each principal names its own.
      if (new KerberosPrincipal("any").getRealm().isEmpty()) {
        return Optional.of(noRealm());
      }
    } catch (IllegalArgumentException e) {
      return Optional.of(noRealm());
    }
    try {
      KerberosPrincipal unused = new KerberosPrincipal(principal);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("'%s' is not a principal: %s".formatted(principal, e.getMessage()));
    }
  }

  /**
   * Returns why Hadoop has no user for the principal, which must be one that Java can use. The
   * rules of the Hadoop configuration on the class path then hold in the whole process.
   */
  public Optional<String> problemWithUser() {
    return problemWithUser(new HdfsConfiguration());
  }

  /** Returns why Hadoop has no user for the principal by the rules of this configuration. */
  public Optional<String> problemWithUser(Configuration hadoop) {
    try {
      HadoopKerberosName.setConfiguration(hadoop);
      String unused = new HadoopKerberosName(principal).getShortName();
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of(
          "%s stands for no user (%s): add a rule for it to hadoop.security.auth_to_local in core-site.xml"
              .formatted(principal, e.getMessage()));
    }
  }

  private static String noRealm() {
    return "cannot be used: Java finds no default realm. Does /etc/krb5.conf have a default_realm? (The environment variable KRB5_CONFIG names another file.)";
  }

  /** Returns why the keytab cannot be used for the principal. */
  public Optional<String> problemWithKeytab() {
    if (!Files.exists(keytab)) {
      return Optional.of("%s does not exist".formatted(keytab));
    }
    if (!Files.isRegularFile(keytab) || !Files.isReadable(keytab)) {
      return Optional.of(
          "%s cannot be read by user %s".formatted(keytab, System.getProperty("user.name")));
    }
    if (isOpenTo(
        PosixFilePermission.OTHERS_READ,
        PosixFilePermission.OTHERS_WRITE,
        PosixFilePermission.GROUP_WRITE)) {
      return Optional.of(
          "%s is open to others than its owner, who could log in as %s: chmod 400 %s"
              .formatted(keytab, principal, keytab));
    }
    return problemWithKeys();
  }

  /** Returns what is dangerous about the keytab, though it can be used. */
  public Optional<String> warning() {
    return isOpenTo(PosixFilePermission.GROUP_READ)
        ? Optional.of(
            "%s can be read by its group, whose members can log in as %s: chmod 400 %s, unless that is meant"
                .formatted(keytab, principal, keytab))
        : Optional.empty();
  }

  private boolean isOpenTo(PosixFilePermission... permissions) {
    PosixFileAttributeView posix = Files.getFileAttributeView(keytab, PosixFileAttributeView.class);
    try {
      Set<PosixFilePermission> given =
          posix == null ? Set.of() : posix.readAttributes().permissions();
      return Arrays.stream(permissions).anyMatch(given::contains);
    } catch (IOException e) {
      return false; // it is not there, which is said elsewhere
    }
  }

  private Optional<String> problemWithKeys() {
    KerberosPrincipal owner;
    try {
      owner = new KerberosPrincipal(principal);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // said of the principal
    }
    if (KeyTab.getInstance(owner, keytab.toFile()).getKeys(owner).length > 0) {
      return Optional.empty();
    }
    Set<String> there;
    try {
      there = new TreeSet<>(List.of(KerberosUtil.getPrincipalNames(keytab.toString(), ANY)));
    } catch (IOException | RuntimeException e) {
      return Optional.of("%s is not a keytab".formatted(keytab));
    }
    if (there.contains(owner.getName())) {
      return Optional.of(
          "%s has only keys for %s of a type that Java does not use: make a keytab with AES keys, such as aes256-cts-hmac-sha1-96"
              .formatted(keytab, owner.getName()));
    }
    return Optional.of(
        there.isEmpty()
            ? "%s is not a keytab, or has no keys".formatted(keytab)
            : "%s has no key for %s, only for %s"
                .formatted(keytab, owner.getName(), String.join(", ", there)));
  }
}
