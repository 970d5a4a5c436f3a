package io.waybill.testkit.contract.process;

import org.junit.jupiter.api.Nested;

/** All that is asked of a store of processes: a test of one extends this, and says how it is opened. */
public abstract class ProcessStoreContracts {

    /** Opens a store that has no processes. */
    protected abstract ProcessFixture open();

    @Nested
    class Keeping extends ProcessStoreContract {
        @Override
        protected ProcessFixture open() {
            return ProcessStoreContracts.this.open();
        }
    }

    @Nested
    class Versions extends ProcessVersionContract {
        @Override
        protected ProcessFixture open() {
            return ProcessStoreContracts.this.open();
        }
    }

    @Nested
    class Ending extends ProcessEndingContract {
        @Override
        protected ProcessFixture open() {
            return ProcessStoreContracts.this.open();
        }
    }

    @Nested
    class Removal extends ProcessRemovalContract {
        @Override
        protected ProcessFixture open() {
            return ProcessStoreContracts.this.open();
        }
    }

    @Nested
    class Starts extends ProcessStartContract {
        @Override
        protected ProcessFixture open() {
            return ProcessStoreContracts.this.open();
        }
    }
}
