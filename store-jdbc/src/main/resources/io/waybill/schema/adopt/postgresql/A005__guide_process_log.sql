-- Makes our log of the guide's: log_id, process_id, event_type, step_name, event_data, created_at. Its events stay for whoever reads the
-- table. Their numbers are below 1: they are not in the words of Waybill, which reads from 1 on.
-- lock: nobody else reads or writes the table until the end
LOCK TABLE ${prefix}process_log IN ACCESS EXCLUSIVE MODE;

-- Times without a zone are taken to be in the zone of the session.
-- lock: rewrites the table and its indexes
ALTER TABLE ${prefix}process_log
    ADD COLUMN event_no INT,
    ALTER COLUMN event_type TYPE VARCHAR(64) COLLATE "C",
    ALTER COLUMN step_name  TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN event_data TYPE TEXT,
    ALTER COLUMN created_at TYPE TIMESTAMPTZ;

-- lock: writes every row
UPDATE ${prefix}process_log l
   SET event_no = 1 - numbered.back, step_name = COALESCE(l.step_name, ''), event_data = COALESCE(l.event_data, '')
  FROM (SELECT log_id, row_number() OVER (PARTITION BY process_id ORDER BY created_at DESC, log_id DESC) AS back
          FROM ${prefix}process_log) numbered
 WHERE l.log_id = numbered.log_id;

ALTER TABLE ${prefix}process_log
    ALTER COLUMN event_no   SET NOT NULL,
    ALTER COLUMN process_id SET NOT NULL,
    ALTER COLUMN event_type SET NOT NULL,
    ALTER COLUMN step_name  SET NOT NULL,
    ALTER COLUMN event_data SET NOT NULL,
    ALTER COLUMN created_at SET NOT NULL,
    ADD UNIQUE (process_id, event_no);
