-- A number of bytes for people, with three digits: 2.62 GB, 206 MB, 560 B; decimal, as 1 kB is 1000 B.
--
-- @version 1
-- @kind    scalar
-- @param   amount    ANY     - -  Bytes.
-- @column  size_text VARCHAR text The text; NULL for NULL.
SELECT CASE
    WHEN amount >= 99.95e9 THEN printf('%.0f GB', amount / 1e9)
    WHEN amount >= 9.995e9 THEN printf('%.1f GB', amount / 1e9)
    WHEN amount >= 999.5e6 THEN printf('%.2f GB', amount / 1e9)
    WHEN amount >= 99.95e6 THEN printf('%.0f MB', amount / 1e6)
    WHEN amount >= 9.995e6 THEN printf('%.1f MB', amount / 1e6)
    WHEN amount >= 999.5e3 THEN printf('%.2f MB', amount / 1e6)
    WHEN amount >= 99.95e3 THEN printf('%.0f kB', amount / 1e3)
    WHEN amount >= 9.995e3 THEN printf('%.1f kB', amount / 1e3)
    WHEN amount >= 999.5 THEN printf('%.2f kB', amount / 1e3)
    ELSE printf('%.0f B', amount / 1e0)
END
