package io.waybill.runtime.process;

import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.services.database.TestDatabase;

final class PostgresProcessesInSharedCommitsTest extends ProcessesInSharedCommits {

    @Override
    TestDatabase newDatabase() {
        return PostgresWithSchema.newDatabase();
    }
}
