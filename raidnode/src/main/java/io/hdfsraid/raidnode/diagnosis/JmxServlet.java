// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.core.setup.AdminEnvironment;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/**
 * Shows the MBeans of this process in the form of Hadoop's {@code JMXJsonServlet}: {@code {"beans":
 * [{"name", "modelerType", ATTRIBUTE: VALUE …}]}}; {@code qry=PATTERN} chooses beans by their
 * object names. The metrics of the daemon itself are at {@code /metrics}.
 */
public final class JmxServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final String EVERYTHING = "*:*";

  private final transient ObjectMapper json;
  private final transient MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  private JmxServlet(ObjectMapper json) {
    this.json = json;
  }

  /** Registers the servlet. */
  public static void addTo(AdminEnvironment admin, ObjectMapper json) {
    admin.addServlet("jmx", new JmxServlet(json)).addMapping("/jmx");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String query = request.getParameter("qry");
    ObjectName pattern;
    try {
      pattern = new ObjectName(query == null ? EVERYTHING : query);
    } catch (MalformedObjectNameException e) {
      response.sendError(
          HttpServletResponse.SC_BAD_REQUEST,
          "qry is a pattern of object names, such as java.lang:type=Memory");
      return;
    }
    ObjectNode answer = json.createObjectNode();
    for (ObjectName name : new TreeSet<>(beans.queryNames(pattern, null))) {
      bean(name).ifPresent(answer.withArray("beans")::add);
    }
    answer.withArray("beans");
    response.setContentType("application/json; charset=utf-8");
    json.writeValue(response.getWriter(), answer);
  }

  /** Returns a bean; empty if it is gone since the names were asked for. */
  private Optional<ObjectNode> bean(ObjectName name) {
    ObjectNode bean = json.createObjectNode().put("name", name.toString());
    try {
      MBeanInfo info = beans.getMBeanInfo(name);
      bean.put("modelerType", info.getClassName());
      for (MBeanAttributeInfo attribute : info.getAttributes()) {
        if (attribute.isReadable()) {
          value(name, attribute.getName()).ifPresent(value -> bean.set(attribute.getName(), value));
        }
      }
      return Optional.of(bean);
    } catch (InstanceNotFoundException e) {
      return Optional.empty();
    } catch (JMException e) {
      return Optional.of(bean.put("error", String.valueOf(e.getMessage())));
    }
  }

  /** Returns the value of an attribute; empty if this platform does not support it. */
  private Optional<JsonNode> value(ObjectName name, String attribute) {
    try {
      return Optional.of(json.valueToTree(plain(beans.getAttribute(name, attribute))));
    } catch (JMException | JMRuntimeException e) {
      return Optional.empty();
    }
  }

  /** Returns what JSON has a form for: whatever it may be, no code of the value decides on it. */
  private static Object plain(Object value) {
    if (value == null || value instanceof Boolean || value instanceof String) {
      return value;
    }
    if (value instanceof Number number) {
      return Double.isFinite(number.doubleValue()) ? number : number.toString();
    }
    if (value instanceof CompositeData composite) {
      Map<String, Object> plain = new LinkedHashMap<>();
      composite.getCompositeType().keySet().stream()
          .sorted()
          .forEach(key -> plain.put(key, plain(composite.get(key))));
      return plain;
    }
    if (value instanceof TabularData table) {
      return table.values().stream().map(JmxServlet::plain).toList();
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(JmxServlet::plain).toList();
    }
    if (value.getClass().isArray()) {
      return IntStream.range(0, Array.getLength(value))
          .mapToObj(i -> plain(Array.get(value, i)))
          .toList();
    }
    return value.toString();
  }
}
