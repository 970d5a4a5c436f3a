package io.waybill.console.api;

import io.waybill.console.operation.Operations;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.security.Users;
import java.time.Clock;
import java.util.List;

/**
 * What all routes share.
 *
 * @param readOnly whether nothing may be changed, in any role
 */
public record ApiContext(
        List<ConsoleDatabase> databases,
        Users users,
        boolean readOnly,
        PayloadMask masking,
        List<String> maskingRules,
        Operations operations,
        Clock clock) {

    ConsoleDatabase database(String name) {
        return databases.stream()
                .filter(database -> database.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiError.notFound("There is no database '" + name + "' in this console."));
    }
}
