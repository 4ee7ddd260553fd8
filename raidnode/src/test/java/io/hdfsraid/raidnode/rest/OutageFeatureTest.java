// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutageFeatureTest {
  private static final String AWAY = "NameNode hdfs://nn1:8020 has not answered since 07:31";

  private Optional<String> outage = Optional.of(AWAY);
  private final ErrorMapper mapper =
      new ErrorMapper(new OutageFeature(() -> outage, ConnectException.class::isInstance));

  private ApiError answer(Exception failure) {
    return (ApiError) mapper.toResponse(failure).getEntity();
  }

  @Test
  void aFailureOfTheOutageIsAnsweredWithTheOutage() {
    ApiError answer = answer(new ConnectException("Connection refused"));
    assertThat(answer.code()).isEqualTo(ErrorCode.NOT_READY);
    assertThat(answer.message()).isEqualTo(AWAY);
    assertThat(answer(new IOException("No space left")).code()).isEqualTo(ErrorCode.IO);
    outage = Optional.empty();
    assertThat(answer(new ConnectException("by a DataNode")).code()).isEqualTo(ErrorCode.IO);
  }
}
