-- Directions of copies by their number in an export; from 11 on they are migrations of unified memory.
--
-- @version 1
-- @grain   kind_id
-- @column  kind_id   INTEGER id   Number in the export.
-- @column  direction VARCHAR text From where to where, by first letters: host, device, array, peer.
-- @column  label     VARCHAR text What nsys 2025 calls it.
SELECT kind_id, direction, label
FROM (VALUES
    (0, 'unknown', 'Unknown'), (1, 'HtoD', 'Host-to-Device'), (2, 'DtoH', 'Device-to-Host'), (3, 'HtoA', 'Host-to-Array'),
    (4, 'AtoH', 'Array-to-Host'), (5, 'AtoA', 'Array-to-Array'), (6, 'AtoD', 'Array-to-Device'),
    (7, 'DtoA', 'Device-to-Array'), (8, 'DtoD', 'Device-to-Device'), (9, 'HtoH', 'Host-to-Host'),
    (10, 'PtoP', 'Peer-to-Peer'), (11, 'HtoD', 'Unified Host-to-Device'), (12, 'DtoH', 'Unified Device-to-Host'),
    (13, 'DtoD', 'Unified Device-to-Device')
) AS kinds (kind_id, direction, label)
