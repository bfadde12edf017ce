-- NVTX domains that libraries open on their own, not the application.
--
-- Their ranges say what a library does inside; work counts for the application's own ranges around them.
--
-- @version 1
-- @grain   domain
-- @column  domain VARCHAR text Name of the domain, in lower case.
SELECT domain
FROM (VALUES
    ('nccl'), ('nvshmem'), ('cccl'), ('cub'), ('thrust'), ('cublas'), ('cublaslt'), ('cudnn'), ('cusparse'), ('cusolver'),
    ('cufft'), ('curand'), ('cutensor'), ('libcudf'), ('librmm'), ('libkvikio'), ('tensorrt'), ('dali'), ('ucp'), ('ucx'),
    ('mpi'), ('openmp'), ('openacc'), ('gil trace'), ('python backtrace')
) AS domains (domain)
