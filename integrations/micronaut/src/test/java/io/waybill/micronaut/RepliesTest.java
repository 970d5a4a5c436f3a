package io.waybill.micronaut;

import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.contract.framework.FrameworkRepliesContract;
import io.waybill.testkit.services.H2;
import java.util.HashMap;
import java.util.Map;

final class RepliesTest extends FrameworkRepliesContract {

    @Override
    protected FrameworkFixture start(String name, Map<String, String> settings) {
        var properties = new HashMap<String, Object>(settings);
        if (!name.isEmpty()) {
            properties.put("micronaut.application.name", name);
        }
        return new MicronautFixture(H2.newDatabase(), properties);
    }
}
