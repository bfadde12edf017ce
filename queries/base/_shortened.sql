-- A text on one line and not longer than that: white space becomes one blank, what is too much three dots.
--
-- @version 1
-- @kind    scalar
-- @param   long_text VARCHAR - text  The text.
-- @param   most      INTEGER - count Characters that it may have.
-- @column  shortened VARCHAR text    The text; NULL for NULL.
SELECT CASE
    WHEN length(trim(regexp_replace(long_text, '\s+', ' ', 'g'))) <= most THEN trim(regexp_replace(long_text, '\s+', ' ', 'g'))
    ELSE left(trim(regexp_replace(long_text, '\s+', ' ', 'g')), most - 3) || '...'
END
