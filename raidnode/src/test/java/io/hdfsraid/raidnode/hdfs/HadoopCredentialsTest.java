// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopCredentialsTest {
  @TempDir Path folder;

  @Test
  void aPasswordIsReadByItsAlias() throws IOException {
    Configuration hadoop = new Configuration(false);
    assertThatThrownBy(() -> HadoopCredentials.password("raidnode", hadoop))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("hadoop.security.credential.provider.path is not set");
    Path store = folder.resolve("raid.jceks");
    hadoop.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "localjceks://file" + store);
    CredentialProvider provider = CredentialProviderFactory.getProviders(hadoop).get(0);
    provider.createCredentialEntry("raidnode", "s3cret ü".toCharArray());
    provider.flush();

    assertThat(HadoopCredentials.password("raidnode", hadoop)).isEqualTo("s3cret ü");
    assertThatThrownBy(() -> HadoopCredentials.password("other", hadoop))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(store + " has no alias other");
    Files.writeString(store, "no key store");
    assertThatThrownBy(() -> HadoopCredentials.password("raidnode", hadoop))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(store + " cannot be read: ");
  }
}
