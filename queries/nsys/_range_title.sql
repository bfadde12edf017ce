-- Name of an NVTX range as a release of NVIDIA's tool prints it: behind its domain and a colon.
--
-- Ranges of the default domain stand alone in 2023.4 and behind a colon in 2025.3.
--
-- @version 1
-- @kind    scalar
-- @param   domain_name ANY     - text Domain; NULL for the default domain.
-- @param   given_name  ANY     - text Name of the range.
-- @param   release     ANY     - text 2023.4 or 2025.3.
-- @column  range_name  VARCHAR text   Name as printed; NULL if the range has none.
SELECT
    CASE
        WHEN domain_name IS NOT NULL THEN domain_name || ':' || given_name
        WHEN release = '2025.3' THEN ':' || given_name
        ELSE given_name
    END
