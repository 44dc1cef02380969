"""The rows that a database had before its first history, and how they come back.

A new copy of the database for each history would take longer than most histories, and emptied
tables (TRUNCATE) are new files, for which every session plans its statements anew. So rows are
deleted and inserted, in one function at the server, past all triggers.
"""

from proof.simulation.postgresql import Administrator

# In a schema of their own, out of sight of the service and of `tidings doctor`.
_KEEP = """
    DO $$
    DECLARE
        one record;
        body text := '';
    BEGIN
        CREATE SCHEMA original;
        FOR one IN
            SELECT c.relname AS name,
                   string_agg(quote_ident(a.attname), ', ' ORDER BY attnum) AS columns
              FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
               AND NOT c.relispartition AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
             GROUP BY 1 ORDER BY 1
        LOOP
            EXECUTE format('CREATE TABLE original.%1$I AS SELECT %2$s FROM public.%1$I',
                           one.name, one.columns);
            body := body || format('
                DELETE FROM public.%1$I;
                INSERT INTO public.%1$I (%2$s) OVERRIDING SYSTEM VALUE
                SELECT * FROM original.%1$I;', one.name, one.columns);
        END LOOP;
        FOR one IN SELECT sequencename AS name, coalesce(last_value, start_value) AS last,
                          last_value IS NOT NULL AS called
                     FROM pg_sequences WHERE schemaname = 'public'
        LOOP
            body := body || format('
                PERFORM setval(%L, %s, %L);', 'public.' || one.name, one.last, one.called);
        END LOOP;
        EXECUTE format('CREATE FUNCTION original.put_back() RETURNS void LANGUAGE plpgsql
                        SET session_replication_role = replica AS %L',
                       'BEGIN ' || body || ' END');
    END $$
"""


def keep(administrator: Administrator) -> None:
    """From now on `put_back` brings back what the database has now."""
    administrator.value(_KEEP)


def put_back(administrator: Administrator) -> None:
    administrator.value("SELECT original.put_back()")
