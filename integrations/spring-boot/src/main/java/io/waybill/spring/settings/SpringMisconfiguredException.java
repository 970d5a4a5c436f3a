package io.waybill.spring.settings;

import io.waybill.WaybillException;
import java.util.List;

/** The application cannot start with these settings. */
public final class SpringMisconfiguredException extends WaybillException {

    SpringMisconfiguredException(List<String> problems) {
        super((problems.size() == 1 ? "A setting of Waybill is" : problems.size() + " settings of Waybill are")
                + " wrong:\n- " + String.join("\n- ", problems));
    }
}
