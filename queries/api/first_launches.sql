-- What the first launch of each kernel cost beyond a usual one: what warming up removes.
--
-- The first launch of a kernel in a process on a GPU may load its module, or compile it; the later ones do not. Counted are
-- API calls that launched one kernel and nothing else, so graphs and batches are not. A usual launch is the median of the
-- later ones; a kernel that was launched once has none, and nothing is known of what its first launch cost beyond it. Module
-- loads (cuLibraryLoad*, cuModuleLoad*) are those of the same thread since its previous such launch: with lazy
-- loading they come just before the first launch, or inside it.
--
-- @version 1
-- @grain   report_id, process_id, gpu_id, name
-- @needs   kernels, api_calls
-- @column  report_id       INTEGER id                    Report the row belongs to.
-- @column  process_id      BIGINT  id                    Process that launched.
-- @column  gpu_id          INTEGER id(gpus.gpu_id)       GPU that the kernel ran on.
-- @column  short_name      VARCHAR text                  Kernel without namespaces and arguments.
-- @column  call_id         BIGINT  id(api_calls.call_id) API call of the first launch.
-- @column  thread_id       BIGINT  id(threads.thread_id) Thread that made it.
-- @column  api_name        VARCHAR text                  Function that it called.
-- @column  start_ns        BIGINT  ns                    Start of the call.
-- @column  first_ns        BIGINT  ns                    Duration of the call.
-- @column  usual_ns        DOUBLE  ns                    Median duration of the later launches; NULL without any.
-- @column  extra_ns        DOUBLE  ns                    first_ns - usual_ns.
-- @column  module_load_ns  BIGINT  ns                    Module loads of the thread since its previous launch, those inside the call too.
-- @column  module_load_count BIGINT count                Such loads.
-- @column  launch_count    BIGINT  count                 Launches of the kernel.
-- @column  name            VARCHAR text                  Full demangled name.
-- @order   first_ns DESC
-- @assert  first_ns >= 0
-- @assert  (usual_ns IS NULL) = (launch_count = 1)
-- @assert  (module_load_count = 0) = (module_load_ns = 0)
-- @example SELECT short_name, first_ns, usual_ns, module_load_ns FROM first_launches ORDER BY extra_ns DESC LIMIT 5
WITH launches AS (
    FROM _kernel_calls
),

firsts AS (
    FROM _first_launches
),

usual AS (
    SELECT l.report_id, f.call_id, median(l.dur_ns) AS usual_ns
    FROM launches AS l
    INNER JOIN firsts AS f
        ON f.report_id = l.report_id AND f.process_id = l.process_id AND f.gpu_id = l.gpu_id AND f.name_id = l.name_id
    WHERE l.call_id <> f.call_id
    GROUP BY l.report_id, f.call_id
),

module_calls AS (
    SELECT report_id, call_id, parent_call_id, thread_id, start_ns, dur_ns
    FROM api_calls
    WHERE regexp_matches(name, '^cu(LibraryLoad|ModuleLoad)')
),

-- A load belongs to the launch of its thread that ends next after it begins; what another load does inside it is in it.
loads AS (
    SELECT l.report_id, l.call_id, count(*) AS module_load_count, CAST(sum(m.dur_ns) AS BIGINT) AS module_load_ns
    FROM (
        SELECT m.*
        FROM module_calls AS m
        ANTI JOIN module_calls AS p ON p.report_id = m.report_id AND p.call_id = m.parent_call_id
    ) AS m
    ASOF JOIN launches AS l ON l.report_id = m.report_id AND coalesce(l.thread_id, 0) = coalesce(m.thread_id, 0)
        AND m.start_ns <= l.end_ns
    GROUP BY l.report_id, l.call_id
)

SELECT
    f.report_id,
    f.process_id,
    f.gpu_id,
    k.short_name,
    f.call_id,
    c.thread_id,
    c.name AS api_name,
    c.start_ns,
    c.dur_ns AS first_ns,
    u.usual_ns,
    c.dur_ns - u.usual_ns AS extra_ns,
    coalesce(m.module_load_ns, 0) AS module_load_ns,
    coalesce(m.module_load_count, 0) AS module_load_count,
    f.launch_count,
    k.name
FROM firsts AS f
INNER JOIN api_calls AS c ON c.report_id = f.report_id AND c.call_id = f.call_id
INNER JOIN kernels AS k ON k.report_id = f.report_id AND k.op_id = f.op_id
LEFT JOIN usual AS u ON u.report_id = f.report_id AND u.call_id = f.call_id
LEFT JOIN loads AS m ON m.report_id = f.report_id AND m.call_id = f.call_id
