-- NVIDIA's report cuda_kern_exec_sum: phases of kernel launches by thread, function and kernel.
--
-- A launch is a kernel and the call with its correlation id. Kernels without a recorded call are not here (api_ops finds
-- them), a kernel with several such calls counts with each, and the kernels of a CUDA graph share the call that launched
-- it: their queue time is their place in the graph, not the cost of a launch.
--
-- @version 1
-- @grain   report_id, pid, tid, device_id, api_name, kernel_name
-- @needs   kernels, api_calls
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @param   has_range BOOLEAN FALSE       bool Name the innermost NVTX range around the launch before the kernel, with a slash between.
-- @require name_form IN ('demangled', 'base', 'mangled')
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  pid              BIGINT  id    Process id of the caller.
-- @column  tid              BIGINT  id    Thread id of the caller.
-- @column  device_id        INTEGER id    CUDA device number in the process.
-- @column  launch_count     BIGINT  count Kernels.
-- @column  queued_count     BIGINT  count Kernels that did not start before their call had returned: only these have a queue time.
-- @column  total_mean_ns    DOUBLE  ns    Mean total time, from the start of the call to the end of kernel or call, whichever is later.
-- @column  total_median_ns  DOUBLE  ns    Median total time.
-- @column  total_min_ns     BIGINT  ns    Shortest total time.
-- @column  total_max_ns     BIGINT  ns    Longest total time.
-- @column  total_stddev_ns  DOUBLE  ns    Sample standard deviation of the total time; 0 for less than two.
-- @column  api_mean_ns      DOUBLE  ns    Mean time in the call.
-- @column  api_median_ns    DOUBLE  ns    Median time in the call.
-- @column  api_min_ns       BIGINT  ns    Shortest time in the call.
-- @column  api_max_ns       BIGINT  ns    Longest time in the call.
-- @column  api_stddev_ns    DOUBLE  ns    Sample standard deviation of the time in the call; 0 for less than two.
-- @column  queue_mean_ns    DOUBLE  ns    Mean queue time, from the end of the call to the start of the kernel; NULL if none has one.
-- @column  queue_median_ns  DOUBLE  ns    Median queue time; NULL if none has one.
-- @column  queue_min_ns     BIGINT  ns    Shortest queue time; NULL if none has one.
-- @column  queue_max_ns     BIGINT  ns    Longest queue time; NULL if none has one.
-- @column  queue_stddev_ns  DOUBLE  ns    Sample standard deviation of the queue time; 0 for less than two.
-- @column  kernel_mean_ns   DOUBLE  ns    Mean time in the kernel.
-- @column  kernel_median_ns DOUBLE  ns    Median time in the kernel.
-- @column  kernel_min_ns    BIGINT  ns    Shortest time in the kernel.
-- @column  kernel_max_ns    BIGINT  ns    Longest time in the kernel.
-- @column  kernel_stddev_ns DOUBLE  ns    Sample standard deviation of the time in the kernel; 0 for less than two.
-- @column  api_name         VARCHAR text  Function that launched, without a version suffix of six characters.
-- @column  kernel_name      VARCHAR text  Kernel, as its parameters say: the full demangled name by default.
-- @title   CUDA Kernel Launch & Exec Time Summary
-- @print   pid PID; tid TID; device_id DevId; launch_count Count; queued_count QCount; total_mean_ns TAvg; total_median_ns
--     TMed; total_min_ns TMin; total_max_ns TMax; total_stddev_ns TStdDev; api_mean_ns AAvg; api_median_ns AMed;
--     api_min_ns AMin; api_max_ns AMax; api_stddev_ns AStdDev; queue_mean_ns QAvg; queue_median_ns QMed; queue_min_ns
--     QMin; queue_max_ns QMax; queue_stddev_ns QStdDev; kernel_mean_ns KAvg; kernel_median_ns KMed; kernel_min_ns
--     KMin; kernel_max_ns KMax; kernel_stddev_ns KStdDev; api_name API Name; kernel_name Kernel Name
-- @skip    kernels: CUDA kernel data
-- @skip    api_calls: CUDA API data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @arg     nvtx-name has_range=true
-- @order   total_mean_ns DESC
-- @assert  queued_count <= launch_count
-- @assert  queue_min_ns >= 0
-- @beware  SELECT report_id, format('{} kernels without a recorded call are left out', count(*)) FROM _kernel_ops
--          ANTI JOIN _api_rows USING (report_id, process_id, correlation_id) GROUP BY report_id
-- @example SELECT api_name, kernel_name, launch_count, queue_median_ns FROM cuda_kern_exec_sum ORDER BY launch_count DESC LIMIT 5
SELECT
    report_id, pid, tid, device_id,
    count(*) AS launch_count,
    count(queue_ns) AS queued_count,
    _one_digit(avg(total_ns)) AS total_mean_ns,
    _one_digit(median(total_ns)) AS total_median_ns,
    min(total_ns) AS total_min_ns,
    max(total_ns) AS total_max_ns,
    _one_digit(stddev_or_zero(total_ns)) AS total_stddev_ns,
    _one_digit(avg(api_ns)) AS api_mean_ns,
    _one_digit(median(api_ns)) AS api_median_ns,
    min(api_ns) AS api_min_ns,
    max(api_ns) AS api_max_ns,
    _one_digit(stddev_or_zero(api_ns)) AS api_stddev_ns,
    _one_digit(avg(queue_ns)) AS queue_mean_ns,
    _one_digit(median(queue_ns)) AS queue_median_ns,
    min(queue_ns) AS queue_min_ns,
    max(queue_ns) AS queue_max_ns,
    _one_digit(stddev_or_zero(queue_ns)) AS queue_stddev_ns,
    _one_digit(avg(kernel_ns)) AS kernel_mean_ns,
    _one_digit(median(kernel_ns)) AS kernel_median_ns,
    min(kernel_ns) AS kernel_min_ns,
    max(kernel_ns) AS kernel_max_ns,
    _one_digit(stddev_or_zero(kernel_ns)) AS kernel_stddev_ns,
    api_name,
    kernel_name
FROM _launches(name_form := name_form, has_range := has_range)
GROUP BY report_id, pid, tid, device_id, api_name, kernel_name
