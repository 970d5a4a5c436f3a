-- What an application has written before it got Waybill.
INSERT INTO command (command_id, type, idempotency_key, business_key, payload, status, created_at) VALUES
    ('00000000-0000-0000-0000-000000000001', 'CreateAccount', 'p-1:CreateAccount', 'a-1', '{"currency":"USD"}', 'COMPLETED', '2026-01-01 10:00:00'),
    ('00000000-0000-0000-0000-000000000002', 'CloseAccount', 'p-2:CloseAccount', NULL, '{}', 'FAILED', '2026-01-01 10:00:01');

INSERT INTO inbox VALUES ('ID:414d51', 'AccountListener', '2026-01-01 10:00:00');

INSERT INTO outbox (outbox_id, category, destination, payload, status, retry_count, created_at) VALUES
    ('00000000-0000-0000-0000-000000000011', 'event', 'accounts.created', '{"account":"a-1"}', 'DISPATCHED', 0, '2026-01-01 10:00:00'),
    ('00000000-0000-0000-0000-000000000012', 'event', 'accounts.closed', '{"account":"a-2"}', 'PENDING', 1, '2026-01-01 10:00:01');

INSERT INTO process_instance (process_id, process_type, business_key, status, current_step, data, retries, created_at, updated_at) VALUES
    ('00000000-0000-0000-0000-000000000021', 'AccountCreation', 'a-1', 'SUCCEEDED', 'CreateAccount', '{"currency":"USD"}', 0, '2026-01-01 10:00:00', '2026-01-01 10:00:05'),
    ('00000000-0000-0000-0000-000000000022', 'AccountCreation', 'a-2', 'COMPENSATED', NULL, NULL, 2, '2026-01-01 10:00:00', '2026-01-01 10:00:06');

INSERT INTO process_log (log_id, process_id, event_type, step_name, event_data, created_at) VALUES
    ('00000000-0000-0000-0000-000000000031', '00000000-0000-0000-0000-000000000021', 'ProcessStarted', NULL, '{"type":"AccountCreation"}', '2026-01-01 10:00:00'),
    ('00000000-0000-0000-0000-000000000032', '00000000-0000-0000-0000-000000000021', 'StepCompleted', 'CreateAccount', NULL, '2026-01-01 10:00:05');
