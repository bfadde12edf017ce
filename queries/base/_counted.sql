-- A number of things in words: 1 launch, 7,706 launches.
--
-- @version 1
-- @kind    scalar
-- @param   amount  ANY     - -    How many.
-- @param   one     VARCHAR - text What one of them is called.
-- @param   many    VARCHAR - text What others are called.
-- @column  counted VARCHAR text The text; NULL for NULL.
SELECT format('{:,} {}', CAST(amount AS BIGINT), CASE WHEN amount = 1 THEN one ELSE many END)
