-- What becomes of sources is told: to who follows a collection, and to webhooks. A delivery is of a run or of a source, so that what
-- names it is a number of its own.
ALTER TABLE "webhook_deliveries"
    DROP CONSTRAINT "webhook_deliveries_pkey",
    ADD COLUMN "id" BIGSERIAL NOT NULL,
    ADD COLUMN "source_id" TEXT,
    ADD COLUMN "collection_id" TEXT,
    ADD COLUMN "source_state" TEXT,
    ADD CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
    ADD CONSTRAINT "webhook_deliveries_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "knowledge_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries"
    ALTER COLUMN "run_id" DROP NOT NULL,
    ALTER COLUMN "session_id" DROP NOT NULL,
    ALTER COLUMN "run_status" DROP NOT NULL;
CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_run_id_seq_key" ON "webhook_deliveries"("webhook_id", "run_id", "seq");
CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_source_id_seq_key" ON "webhook_deliveries"("webhook_id", "source_id", "seq");
CREATE INDEX "webhook_deliveries_source_id_idx" ON "webhook_deliveries"("source_id");

-- As `protect_tenant_table` has it, but for what a delivery is not of.
DROP POLICY own_rows ON "webhook_deliveries";
CREATE POLICY own_rows ON "webhook_deliveries" TO scriptorium_tenant
    USING (tenant_id = (SELECT current_setting('scriptorium.tenant', true)))
    WITH CHECK (
        tenant_id = (SELECT current_setting('scriptorium.tenant', true))
        AND (session_id IS NULL OR EXISTS (SELECT 1 FROM sessions parent WHERE parent.id = webhook_deliveries.session_id))
        AND (run_id IS NULL OR EXISTS (SELECT 1 FROM runs parent WHERE parent.id = webhook_deliveries.run_id))
        AND (source_id IS NULL OR EXISTS (SELECT 1 FROM knowledge_sources parent WHERE parent.id = webhook_deliveries.source_id)));

-- In the transaction of the change, whoever makes it: no end of a source is told that did not come about, and none is missed.
CREATE FUNCTION tell_of_source() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  source knowledge_sources := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_notify('scriptorium_source_events', source.collection_id || ' ' || source.id);
  IF TG_OP = 'UPDATE' AND NEW.state IN ('ready', 'failed') AND NEW.state <> OLD.state THEN
    INSERT INTO webhook_deliveries (webhook_id, source_id, collection_id, seq, tenant_id, event, source_state, at)
      SELECT id, NEW.id, NEW.collection_id, NEW.epoch, NEW.tenant_id, 'source_' || NEW.state, NEW.state, NEW.changed_at FROM webhooks
      WHERE tenant_id = NEW.tenant_id AND 'source_' || NEW.state = ANY (events)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER told_of_new AFTER INSERT OR DELETE ON "knowledge_sources" FOR EACH ROW EXECUTE FUNCTION tell_of_source();
CREATE TRIGGER told_of_change AFTER UPDATE ON "knowledge_sources" FOR EACH ROW
    WHEN (OLD.changed_at <> NEW.changed_at OR OLD.state <> NEW.state) EXECUTE FUNCTION tell_of_source();
