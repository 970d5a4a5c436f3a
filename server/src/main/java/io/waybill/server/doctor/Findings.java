package io.waybill.server.doctor;

import io.waybill.transport.SecretMask;
import java.util.ArrayList;
import java.util.List;

/** What was found at one place. */
final class Findings {

    private final String where;
    private final List<Finding> all = new ArrayList<>();

    Findings(String where) {
        this.where = where;
    }

    void ok(String check, String says) {
        all.add(Finding.ok(where, check, SecretMask.text(says)));
    }

    void warn(String check, String says, String advice) {
        all.add(Finding.warn(where, check, SecretMask.text(says), advice));
    }

    void bad(String check, String says, String advice) {
        all.add(Finding.bad(where, check, SecretMask.text(says), advice));
    }

    List<Finding> all() {
        return all;
    }
}
