-- What a function of the CUDA API does, by its name: launch, sync, copy, alloc, module, query or other.
--
-- A launch starts kernels or graphs, a sync waits for the GPU, a copy moves or sets memory, an alloc gets or gives back or
-- maps memory, module is code, a query asks without waiting. Runtime and driver names alike, without version suffixes.
--
-- @version 1
-- @kind    scalar
-- @param   function_name VARCHAR -    - Function.
-- @column  kind          VARCHAR text launch, sync, copy, alloc, module, query or other.
SELECT CASE
    WHEN NOT starts_with(function_name, 'cu') OR contains(function_name, 'HostFunc') THEN 'other'
    WHEN regexp_matches(function_name, '^cu(da)?(Graph)?Launch') THEN 'launch'
    WHEN ends_with(function_name, 'Synchronize') THEN 'sync'
    WHEN regexp_matches(function_name, '^cu(da)?Mem(cpy|set|Prefetch)') THEN 'copy'
    WHEN regexp_matches(function_name, '^cu(da)?(Module|Library|Link)(Load|Unload|Get[^L]|Create|Add|Complete|Destroy)') THEN 'module'
    WHEN regexp_matches(function_name, 'Query|IsCapturing|Occupancy|PeekAt|Get') THEN 'query'
    WHEN regexp_matches(
        function_name,
        '^cu(da)?(Malloc|Free|Host(Alloc|Register|Unregister)|Ipc|Mem(Alloc|Free|Host|Create|Release|Map|Unmap|Address|Pool|SetAccess|Export|Import|Retain))')
        THEN 'alloc'
    ELSE 'other'
END
