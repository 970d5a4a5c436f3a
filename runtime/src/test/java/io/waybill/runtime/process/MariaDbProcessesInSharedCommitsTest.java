package io.waybill.runtime.process;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

final class MariaDbProcessesInSharedCommitsTest extends ProcessesInSharedCommits {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
