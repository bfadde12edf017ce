-- Which GPU a process means by a CUDA device number.
--
-- Events carry the number that the process uses for a device; CUDA_VISIBLE_DEVICES makes number 0 of two processes
-- two GPUs. The GPU is found by the first rule that gives one: the recorded device table (mapping 'reported'; an
-- instance of a partitioned GPU, MIG, is a GPU of its own); the only GPU of the machine ('only_gpu'); the GPU to which
-- the driver gives the same number ('assumed'); none, and the process's device counts as a GPU of its own ('unknown').
-- An event whose process was not recorded has process 0. The GPUs that a process uses are those that it worked on (is_used): a
-- context without work, as each rank of a job may have on the first GPU, makes none of them.
--
-- @version 1
-- @grain   report_id, process_id, device_id
-- @column  report_id  INTEGER id   Report the row belongs to.
-- @column  process_id BIGINT  id   Process that has the device.
-- @column  device_id  INTEGER id   CUDA device number in that process.
-- @column  gpu_id     INTEGER id(gpus.gpu_id) GPU that the number stands for.
-- @column  mapping    VARCHAR text How the GPU was found: reported, only_gpu, assumed or unknown.
-- @column  is_used    BOOLEAN bool The process worked on it, or worked nowhere.
-- @order   report_id, process_id, device_id
-- @assert  mapping IN ('reported', 'only_gpu', 'assumed', 'unknown')
-- @example SELECT process_id, device_id, gpu_id, mapping FROM process_gpus
SELECT report_id, process_id, device_id, gpu_id, mapping, is_used
FROM _device_gpus
WHERE process_id IS NOT NULL
