package io.waybill.runtime;

import com.zaxxer.hikari.util.DriverDataSource;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.testkit.services.host.TcpProxy;
import java.net.URI;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same on a real server: its answer to a commit gets lost on the way, and the driver finds out by itself. */
abstract class LostAnswersOfTheNetwork extends LostAnswers {

    /** A few in every build, all with -Pfull. */
    private static final boolean ALL = Boolean.getBoolean("waybill.lost.answers.all");

    private @Nullable TcpProxy proxy;

    @AfterEach
    void close() {
        if (proxy != null) {
            proxy.close();
        }
    }

    @Override
    CutDataSource cutting(TestDatabase database) {
        if (proxy != null) {
            proxy.close();
        }
        int port = URI.create(database.jdbcUrl().substring("jdbc:".length())).getPort();
        TcpProxy way = TcpProxy.to(port);
        proxy = way;
        var through = new DriverDataSource(
                database.jdbcUrl().replace(":" + port + "/", ":" + way.port() + "/"),
                null,
                new Properties(),
                database.user(),
                database.password());
        return new CutDataSource(through, database.dataSource(), way::loseTheNextAnswer);
    }

    @Test
    void whichever_answer_is_lost_everything_happens_once_and_in_order() throws SQLException {
        int commits = commits();
        var random = new Random(19);
        if (ALL) {
            for (int n = 1; n <= commits; n++) {
                run(n);
            }
        } else {
            for (int i = 0; i < 3; i++) {
                run(1 + random.nextInt(commits));
            }
        }
    }
}
