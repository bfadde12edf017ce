-- A length of time for people, with three or four digits: 1.19 s, 24.7 ms, 56 us.
--
-- @version 1
-- @kind    scalar
-- @param   length_ns ANY     - -  Length in ns.
-- @column  time_text VARCHAR text The text; NULL for NULL.
SELECT CASE
    WHEN length_ns >= 1e9 THEN printf('%.2f s', length_ns / 1e9)
    WHEN length_ns >= 1e6 THEN printf('%.1f ms', length_ns / 1e6)
    WHEN length_ns >= 1e3 THEN printf('%.1f us', length_ns / 1e3)
    ELSE printf('%.0f ns', length_ns / 1e0)
END
