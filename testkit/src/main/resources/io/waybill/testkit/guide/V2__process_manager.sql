-- The tables of Appendix A of the guide: process_instance, process_log.
CREATE TABLE process_instance (
    process_id   UUID PRIMARY KEY,
    process_type VARCHAR(100) NOT NULL,
    business_key VARCHAR(200) NOT NULL,
    status       VARCHAR(20) NOT NULL,
    current_step VARCHAR(100),
    data         TEXT,
    retries      INT NOT NULL DEFAULT 0,
    created_at   TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at   TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE process_log (
    log_id     UUID PRIMARY KEY,
    process_id UUID NOT NULL REFERENCES process_instance (process_id),
    event_type VARCHAR(50) NOT NULL,
    step_name  VARCHAR(100),
    event_data TEXT,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
