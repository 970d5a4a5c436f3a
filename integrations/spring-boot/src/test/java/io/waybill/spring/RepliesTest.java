package io.waybill.spring;

import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.contract.framework.FrameworkRepliesContract;
import io.waybill.testkit.services.H2;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class RepliesTest extends FrameworkRepliesContract {

    @Override
    protected FrameworkFixture start(String name, Map<String, String> settings) {
        var properties = new ArrayList<>(List.of(SpringFixture.WITHOUT_JPA));
        if (!name.isEmpty()) {
            properties.add("spring.application.name=" + name);
        }
        settings.forEach((key, value) -> properties.add(key + "=" + value));
        return new SpringFixture(H2.newDatabase(), properties.toArray(String[]::new));
    }
}
