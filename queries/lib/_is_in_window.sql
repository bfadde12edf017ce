-- Whether an event is in a window of time, which begins with its first moment and ends before its last one.
--
-- An event that only touches the window is not in it; one of length 0 is a moment, and so is one whose end is not known,
-- but for one that never ended: that goes on. So of two windows side by side each moment is in one.
--
-- @version 1
-- @kind    scalar
-- @param   event_from BIGINT  - ns   Start of the event.
-- @param   event_to   BIGINT  - ns   End of the event; NULL for a moment.
-- @param   is_endless BOOLEAN - bool The event without an end goes on to the end of all.
-- @param   from_at    BIGINT  - ns   Start of the window.
-- @param   to_at      BIGINT  - ns   End of the window.
-- @column  is_inside  BOOLEAN bool   The event is in the window.
SELECT
    event_from < to_at
    AND (event_from >= from_at OR coalesce(event_to, CASE WHEN is_endless THEN to_at END, event_from) > from_at)
