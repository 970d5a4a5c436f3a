package io.waybill.runtime;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class H2LostAnswersTest extends LostAnswers {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }

    @Test
    void whichever_answer_is_lost_everything_happens_once_and_in_order() throws SQLException {
        int commits = commits();
        for (int n = 1; n <= commits; n++) {
            run(n);
        }
    }
}
