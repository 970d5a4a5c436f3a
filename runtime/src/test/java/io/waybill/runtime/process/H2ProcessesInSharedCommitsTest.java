package io.waybill.runtime.process;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

final class H2ProcessesInSharedCommitsTest extends ProcessesInSharedCommits {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
