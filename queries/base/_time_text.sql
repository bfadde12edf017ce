-- A length of time for people, with three digits: 1.19 s, 24.7 ms, 560 ns.
--
-- @version 1
-- @kind    scalar
-- @param   length_ns ANY     - -  Length in ns.
-- @column  time_text VARCHAR text The text; NULL for NULL.
SELECT CASE
    WHEN length_ns >= 99.95e9 THEN printf('%.0f s', length_ns / 1e9)
    WHEN length_ns >= 9.995e9 THEN printf('%.1f s', length_ns / 1e9)
    WHEN length_ns >= 999.5e6 THEN printf('%.2f s', length_ns / 1e9)
    WHEN length_ns >= 99.95e6 THEN printf('%.0f ms', length_ns / 1e6)
    WHEN length_ns >= 9.995e6 THEN printf('%.1f ms', length_ns / 1e6)
    WHEN length_ns >= 999.5e3 THEN printf('%.2f ms', length_ns / 1e6)
    WHEN length_ns >= 99.95e3 THEN printf('%.0f µs', length_ns / 1e3)
    WHEN length_ns >= 9.995e3 THEN printf('%.1f µs', length_ns / 1e3)
    WHEN length_ns >= 999.5 THEN printf('%.2f µs', length_ns / 1e3)
    ELSE printf('%.0f ns', length_ns / 1e0)
END
