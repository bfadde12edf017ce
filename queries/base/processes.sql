-- Processes that a recorded event belongs to.
--
-- A process is its pid with the numbers of the machine (hardware) and the virtual machine it ran on: pids repeat
-- between machines. process_id holds 8 bits of hardware, 8 of VM, 24 of pid and 24 of zeros; in a thread_id the thread's number
-- stands in place of the zeros, so `thread_id & -16777216` is its process. Processes that no event refers to are not loaded.
--
-- @version 1
-- @grain   report_id, process_id
-- @column  report_id  INTEGER id   Report the row belongs to.
-- @column  process_id BIGINT  id   The process: hardware id, VM id and pid in one number, as events carry it.
-- @column  pid        INTEGER id   Process id of the operating system, unique only within a VM.
-- @column  vm_id      INTEGER id   Virtual machine, unique only within the hardware.
-- @column  hw_id      INTEGER id   Hardware.
-- @column  name       VARCHAR text Name of the executable; NULL if not recorded.
-- @order   report_id, pid
-- @example SELECT pid, name FROM processes ORDER BY pid
WITH seen AS (
    SELECT report_id, globalPid AS process_id, name FROM raw.PROCESSES
    UNION ALL
    SELECT report_id, thread_id & (-16777216)::BIGINT, NULL FROM _seen_threads
    UNION ALL
    SELECT report_id, process_id, NULL FROM process_gpus
)

SELECT
    report_id,
    process_id,
    TRY_CAST((process_id >> 24) & 16777215 AS INTEGER) AS pid,
    TRY_CAST((process_id >> 48) & 255 AS INTEGER) AS vm_id,
    TRY_CAST((process_id >> 56) & 255 AS INTEGER) AS hw_id,
    max(name) AS name
FROM seen
WHERE process_id IS NOT NULL
GROUP BY report_id, process_id
