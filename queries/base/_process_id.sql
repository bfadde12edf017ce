-- The number of a process as events carry it: 8 bits of hardware, 8 of VM, 24 of pid and 24 of zeros, signed.
--
-- @version 1
-- @kind    scalar
-- @param   hw_id    BIGINT - id Hardware, 0 to 255.
-- @param   vm_id    BIGINT - id Virtual machine, 0 to 255.
-- @param   os_pid   BIGINT - id Process id of the operating system.
-- @column  process_id BIGINT id The process.
-- @example SELECT _process_id(0, 1, 77) AS process_id
SELECT
    (hw_id - CASE WHEN hw_id >= 128 THEN 256 ELSE 0 END) * 72057594037927936 + vm_id * 281474976710656 + os_pid * 16777216
