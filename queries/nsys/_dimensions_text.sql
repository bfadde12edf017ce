-- Dimensions of a grid or a block as NVIDIA's reports print them: three numbers, each at least four wide.
--
-- @version 1
-- @kind    scalar
-- @param   size_x ANY     -    - Along x.
-- @param   size_y ANY     -    - Along y.
-- @param   size_z ANY     -    - Along z.
-- @column  dims   VARCHAR text   The three as one text.
SELECT format('{:4d} {:4d} {:4d}', size_x, size_y, size_z)
