-- NVIDIA's report um_cpu_page_faults_sum: page faults of unified memory on the CPU by the code that touched the page.
--
-- um_faults has the time, the address and the source line of each.
--
-- @version 1
-- @grain   report_id, instruction
-- @needs   um_faults
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  fault_count BIGINT  count Page faults.
-- @column  instruction VARCHAR text  Function that touched the page, or its address if that has no symbol.
-- @title   Unified Memory CPU Page Faults Summary
-- @print   fault_count CPU Page Faults; instruction CPU Instruction Address
-- @skip    CUDA Unified Memory CPU page faults data
-- @order   fault_count DESC, instruction
-- @example SELECT instruction, fault_count FROM um_cpu_page_faults_sum
SELECT report_id, count(*) AS fault_count, instruction
FROM um_faults
WHERE side = 'cpu'
GROUP BY report_id, instruction
