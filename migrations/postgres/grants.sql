-- What the role that the program connects as may do, where another one owns the schemas: to be run by the owner, as
-- often as it was migrated. Triggers refuse to change what is append-only; without the rights, nobody who has the
-- program's password gets as far as a trigger, or can take it away. Another role's name is put in for guiche_app.

GRANT USAGE ON SCHEMA desk, service TO guiche_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA desk, service TO guiche_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA desk, service TO guiche_app;
REVOKE INSERT, UPDATE, DELETE ON desk.schema_version, service.schema_version FROM guiche_app;

DO $$
DECLARE
    kept record;
BEGIN
    -- In tgtype 1 is FOR EACH ROW, 8 DELETE and 16 UPDATE; tgattr names the columns of UPDATE OF.
    FOR kept IN
        SELECT DISTINCT t.tgrelid::regclass AS name, CASE WHEN t.tgtype & 8 > 0 THEN 'DELETE' ELSE 'UPDATE' END AS act
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE p.proname = 'refuse' AND c.relnamespace IN ('desk'::regnamespace, 'service'::regnamespace)
            AND t.tgtype & 1 > 0 AND t.tgtype & 24 > 0 AND t.tgattr::text = ''
    LOOP
        EXECUTE format('REVOKE %s ON %s FROM guiche_app', kept.act, kept.name);
    END LOOP;
END
$$;
