package io.waybill.jms.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyNamesTest {

    @ParameterizedTest
    @CsvSource({
        "traceparent, traceparent",
        "x_tenant, x_tenant",
        "x-tenant, x_HYPHEN_tenant",
        "shop.order-id, shop_DOT_order_HYPHEN_id",
        "cloudEvents_id, cloudEvents_id",
        "9lives, _u0039_lives",
        "żółw, _u017c__u00f3__u0142_w",
        "JMSXGroupID, _u004a_MSXGroupID",
        "null, _u006e_ull",
        "x_HYPHEN_tenant, x_u005f_HYPHEN_u005f_tenant",
    })
    void a_header_has_a_name_that_JMS_allows(String header, String property) {
        assertThat(PropertyNames.encode(header)).isEqualTo(property);
        assertThat(PropertyNames.decode(property)).isEqualTo(header);
    }

    @Test
    void any_name_comes_back_as_it_was() {
        String[] pieces = {"-", ".", "_", "HYPHEN", "DOT", "u0041", "u", "a", "9", "$", "\\", " ", "ż", "_DOT_", "JMS"};
        var random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            var name = new StringBuilder();
            for (int length = random.nextInt(1, 8); length > 0; length--) {
                name.append(pieces[random.nextInt(pieces.length)]);
            }
            String property = PropertyNames.encode(name.toString());

            assertThat(property).matches("[A-Za-z_][A-Za-z0-9_]*");
            assertThat(PropertyNames.decode(property)).isEqualTo(name.toString());
        }
    }
}
