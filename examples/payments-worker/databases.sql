-- The worker's database is made by the image; the orchestrator has one of its own.
CREATE DATABASE orchestrator OWNER payments;
