-- Reports that hold anything of NVTX, at whatever time.
--
-- @version 1
-- @grain   report_id
-- @window  whole
-- @column  report_id INTEGER id Report.
SELECT DISTINCT report_id
FROM raw.NVTX_EVENTS
