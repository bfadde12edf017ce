-- A bound of an event in a window of time: the bound, or the edge of the window that it lies beyond; NULL stays NULL.
--
-- @version 1
-- @kind    scalar
-- @param   bound_at BIGINT - ns Start or end of the event.
-- @param   from_at  BIGINT - ns Start of the window.
-- @param   to_at    BIGINT - ns End of the window.
-- @column  cut_ns   BIGINT ns   The bound within the window.
SELECT CASE WHEN bound_at < from_at THEN from_at WHEN bound_at > to_at THEN to_at ELSE bound_at END
